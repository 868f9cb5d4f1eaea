#include <partyline/access/gate.hpp>

#include "access/file/access_file.hpp"
#include "access/gate_core.hpp"

#include <utility>

namespace partyline::access {

gate::gate(std::string file) : core_(std::make_shared<gate_core>(std::move(file)))
{
    core_->start();
}

gate::~gate() = default;

void gate::add(std::shared_ptr<authenticator> other)
{
    core_->add(std::move(other));
}

void gate::fetch_by(document_fetcher fetcher)
{
    core_->fetch_by(std::move(fetcher));
}

void gate::log_to(std::function<void(std::string_view)> log)
{
    core_->log_to(std::move(log));
}

void gate::reload()
{
    core_->reload();
}

explanation gate::explain(const peer_identity& peer, std::string_view method, std::string_view key) const
{
    return core_->explain(peer, method, key);
}

// Nobody is admitted by what is thrown: that there is no memory, mostly.
authentication gate::authenticate(const peer_identity& from, std::optional<std::string_view> authorization,
                                  std::chrono::system_clock::time_point now) noexcept
try {
    return core_->authenticate(from, authorization, now);
} catch (...) {
    return {authentication_outcome::unavailable, {}};
}

authentication gate::renew(const std::shared_ptr<const access_grant>& grant,
                           std::chrono::system_clock::time_point now) noexcept
try {
    return core_->renew(grant, now);
} catch (...) {
    return {authentication_outcome::unavailable, {}};
}

std::shared_ptr<const protected_resource> gate::resource() const noexcept
{
    return core_->resource();
}

void check_access_text(const std::string& text)
{
    parse_access_file(text, {});
}

} // namespace partyline::access
