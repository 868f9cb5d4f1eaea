#pragma once

#include "gateway/attached_client.hpp"
#include "gateway/listen_table.hpp"
#include "gateway/relay_profile.hpp"
#include "gateway/resource_watchers.hpp"

#include <partyline/protocol/json_text.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gateway {

class attached_client;

/// The clients of one server, and which of them hear what it tells.
///
/// Thread safety: none.
class attached_clients {
public:
    using logger = std::function<void(std::string_view)>;

    /// Where several clients share the server, one hears only what all may hear, or what is known to be meant for that
    /// one. The books must outlive it.
    attached_clients(protocol speaks, bool is_shared, const listen_table& listens, const resource_watchers& watchers,
                     logger log);

    void add(const std::shared_ptr<attached_client>& client) { clients_.emplace_back(client.get(), client); }
    void remove(const attached_client& gone) noexcept;
    /// Whom the server can ask; null: nobody, or several share it.
    std::shared_ptr<attached_client> only_one() const;

    /// Those whom it is for are told.
    void tell(const std::string& method, const partyline::json_text& params);
    void tell_all(const std::string& method, const partyline::json_text& params);

private:
    using json_text = partyline::json_text;

    bool tell_subscriber(const std::string& method, const json_text& params);
    void tell_logger(const std::string& method, const json_text& params);
    void tell_watchers(const std::string& method, const json_text& params);
    void note_unaddressed(const std::string& method);
    std::shared_ptr<attached_client> find(const attached_client* key) const;

    protocol speaks_;
    bool is_shared_;
    const listen_table& listens_;
    const resource_watchers& watchers_;
    logger log_;
    std::vector<std::pair<const attached_client*, std::weak_ptr<attached_client>>> clients_;
    bool has_told_unaddressed_ = false;
};

} // namespace gateway
