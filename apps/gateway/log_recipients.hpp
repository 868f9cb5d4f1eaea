#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace gateway {

class attached_client;

/// Whose a log line is that does not say so, of a server that several clients share. What a server logs may be about
/// one client's work: where it can't be known whose the line is, it is nobody's.
///
/// Once a client has greeted the server or set a level for all that it logs, a line is known only where that client has
/// been alone since the server's start. Before, only requests that ask by `logLevel` are told lines (2026-07-28), and
/// only before their answer: a line is known where one request asks, and nothing else that is another client's may have
/// made the server log. A request that was cancelled may do so at any time.
///
/// Flow: `on_attach()` and `on_detach()` for each client, `on_request()` and `on_end()` for each request; `find()` when
/// a line has come.
/// Thread safety: none.
class log_recipients {
public:
    struct recipient {
        const attached_client* client = nullptr;
        std::optional<std::uint64_t> request; // unset: it is told the client, whatever that has asked
    };
    struct request_traits {
        bool is_subscription = false; // which makes no server log
        bool asks = false;            // by `logLevel`
    };
    enum class outcome : std::uint8_t {
        answered, ///< also where it was not sent
        unknown,  ///< the server may still work on it
    };

    void on_attach(const attached_client& client);
    void on_detach(const attached_client& client) noexcept;
    /// A server has been started, also in the place of another one: what that one was at has ended.
    void on_server_start() noexcept;
    /// Somebody greets the server or sets a level, by `initialize` or `logging/setLevel`.
    void on_level() noexcept { has_level_ = true; }
    void on_request(const attached_client& by, std::uint64_t number, request_traits what);
    void on_end(const attached_client& by, std::uint64_t number, outcome how) noexcept;

    /// Unset: it can't be known.
    std::optional<recipient> find() const;

private:
    using key = std::pair<const attached_client*, std::uint64_t>;

    std::set<const attached_client*> clients_;
    std::set<key> asking_;
    std::set<key> open_; // without subscriptions
    bool has_been_shared_ = false;
    bool has_level_ = false;
    bool has_unknown_ = false;
};

} // namespace gateway
