#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace gateway {

class relay;

/// A subscription of a client's (2026-07-28, subscriptions/listen).
struct subscription {
    const relay* by = nullptr;
    std::uint64_t number = 0; // that its request has with the relay
    std::string client_id;    // the text of the request's id there
};

/// The subscriptions with one server. What is said of one names the id of its request, which is another one on each side:
/// a request is announced before it is asked, and found by the id that it then gets.
///
/// Thread safety: none.
class listen_book {
public:
    void expect(subscription next) { unsent_.push_back(std::move(next)); }
    /// The first that is expected has gone out with this id: they go out in the order in which they were asked.
    void note_sent(std::string_view server_id);
    /// By the text of the request's id at the server; null without.
    const subscription* find(std::string_view server_id) const;
    void forget(const relay& by, std::uint64_t number) noexcept;
    /// All that a client has.
    void forget(const relay& gone) noexcept;

private:
    std::deque<subscription> unsent_;
    std::map<std::string, subscription, std::less<>> sent_;
};

} // namespace gateway
