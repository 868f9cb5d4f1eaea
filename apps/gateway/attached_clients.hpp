#pragma once

#include "gateway/attached_client.hpp"
#include "gateway/log_recipients.hpp"
#include "gateway/named_requests.hpp"
#include "gateway/relay_profile.hpp"
#include "gateway/resource_watchers.hpp"

#include <partyline/protocol/json_text.hpp>

#include <cstdint>
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

    /// What is known of who has asked the server for what. It must outlive this.
    struct tables {
        const named_requests& named;
        const resource_watchers& watchers;
        const log_recipients& logs;
    };

    /// Where several clients share the server, one hears only what all may hear, or what is known to be meant for that
    /// one.
    attached_clients(protocol speaks, bool is_shared, tables from, logger log);

    void add(const std::shared_ptr<attached_client>& client) { clients_.emplace_back(client.get(), client); }
    void remove(const attached_client& gone) noexcept;
    /// The client that the server can ask; null: there is none, or several share the server.
    std::shared_ptr<attached_client> only_one() const;

    /// Tells the clients that the message is for.
    void tell(const std::string& method, const partyline::json_text& params, const attached_client::receipt& kept = {});
    void tell_all(const std::string& method, const partyline::json_text& params,
                  const attached_client::receipt& kept = {});
    /// Ends their sessions, in order.
    void close_sessions();
    /// How many messages were told to nobody, since it was not known whose they are.
    std::uint64_t untold() const noexcept { return untold_; }

private:
    using json_text = partyline::json_text;

    /// Returns false for what is about no subscription, or is to be told as if it was about none.
    bool tell_subscriber(const std::string& method, const json_text& params, const attached_client::receipt& kept);
    void tell_log_line(const json_text& params);
    void tell_watchers(const std::string& method, const json_text& params);
    void tell_in(const named_request& to, const std::string& method, const json_text& params,
                 const attached_client::receipt& kept = {});
    void note_untold(const std::string& method);
    std::shared_ptr<attached_client> find(const attached_client* key) const;

    protocol speaks_;
    bool is_shared_;
    tables from_;
    logger log_;
    std::vector<std::pair<const attached_client*, std::weak_ptr<attached_client>>> clients_;
    std::uint64_t untold_ = 0;
};

} // namespace gateway
