#include "server/peer_authenticator.hpp"

#include "session/use_grant.hpp"

#include <partyline/session/log.hpp>

#include <chrono>
#include <new>
#include <optional>
#include <string>

namespace partyline {
namespace {

std::string origin_of(const peer_identity& from)
{
    if (from.local)
        return "of the user " + std::to_string(from.local->user);
    return from.address ? "from " + from.address->ip.to_string() : "from an unknown address";
}

} // namespace

std::shared_ptr<const access_grant> peer_authenticator::authenticate(const peer_identity& from) noexcept
{
    authentication found = by_->authenticate(from, std::nullopt, std::chrono::system_clock::now());
    if (found.outcome == authentication_outcome::admitted)
        return std::move(found.grant);
    log_refusal(from, found.outcome);
    return nullptr;
}

// A line that there is no memory for is not written.
void peer_authenticator::log_refusal(const peer_identity& from, authentication_outcome how) noexcept
{
    if (!refusals_.allows(log_throttle::clock::now()))
        return;
    try {
        std::string line = "refused a connection " + origin_of(from) + ": ";
        write_log(log_, line.append(describe(how)));
    } catch (const std::bad_alloc&) {
    }
}

} // namespace partyline
