#pragma once

#include <partyline/async/async_mutex.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gateway {

class attached_client;

inline constexpr std::string_view listen_method = "subscriptions/listen";

/// A subscription of a client's (2026-07-28, subscriptions/listen).
struct subscription {
    const attached_client* by = nullptr;
    std::uint64_t number = 0; // that its request has with the relay
    std::string client_id;    // the text of the request's id there
};

/// The subscriptions with one server. What is said of one names the id of its request, which is another one on each
/// side: a request is announced before it is asked, and found by the id that it then gets. One at a time: one that
/// can't be sent would leave its id to the next.
///
/// Thread safety: none.
class listen_table {
public:
    /// It is the next to go out, and until it has, or is forgotten, no other one is let in.
    void expect(subscription next, partyline::async_mutex::lock alone);
    /// What is expected has gone out with this id.
    void note_sent(std::string_view server_id);
    /// By the text of the request's id at the server; null without.
    const subscription* find(std::string_view server_id) const;
    void forget(const attached_client& by, std::uint64_t number) noexcept;

private:
    struct unsent {
        subscription what;
        partyline::async_mutex::lock alone;
    };
    std::optional<unsent> next_;
    std::map<std::string, subscription, std::less<>> sent_;
};

} // namespace gateway
