#pragma once

#include "gateway/kept_bytes.hpp"

#include <partyline/async/async_mutex.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gateway {

class attached_client;

inline constexpr std::string_view listen_method = "subscriptions/listen";

/// A client's request that the server may name in what it tells: a subscription (2026-07-28, subscriptions/listen) by
/// the request's id, one that has a progress token by that token.
struct named_request {
    const attached_client* by = nullptr;
    std::uint64_t number = 0;      // that the request has with the relay
    std::string client_id = {};    // of a subscription: the text of the request's id at the client
    std::string client_token = {}; // the text of the token that the client has given; empty where there is none
    kept_bytes::share kept = {};
};

/// The requests that one server may name. The session with the server gives each of them an id, which is its token as
/// well, and which is another one than at the client: a request is announced before it is asked, and found by the id
/// that it then gets. One at a time: a request that can't be sent would leave its id to the next.
///
/// Thread safety: none.
class named_requests {
public:
    /// Announces a request; until it has been sent or is forgotten, no other one is let in.
    void expect(named_request next, partyline::async_mutex::lock alone);
    /// The one that is announced and has not been sent; null without.
    const named_request* expected() const noexcept { return next_ ? &next_->what : nullptr; }
    /// The announced request has been sent with this id.
    void note_sent(std::string_view server_id);
    /// By the text of the request's id at the server; null without.
    const named_request* find(std::string_view server_id) const;
    void forget(const attached_client& by, std::uint64_t number) noexcept;

private:
    struct unsent {
        named_request what;
        partyline::async_mutex::lock alone;
    };
    using sent_requests = std::map<std::string, named_request, std::less<>>; // by the id at the server

    std::optional<unsent> next_;
    sent_requests sent_;
    std::map<std::pair<const attached_client*, std::uint64_t>, sent_requests::iterator> of_clients_;
};

} // namespace gateway
