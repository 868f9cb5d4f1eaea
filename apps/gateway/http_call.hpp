#pragma once

#include "http/connections/connection_pool.hpp"
#include "http/wire/url.hpp"

#include <partyline/http/client_options.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gateway {

using field_list = std::vector<partyline::http::field_text>;

/// Where a server is, and how it is reached.
struct remote_address {
    partyline::http::url to;
    partyline::http::client_options how;
};

/// What an answer begins with.
struct answer_head {
    int status = 0;
    bool is_event_stream = false;
    std::string session_id; // Mcp-Session-Id
    std::string words;      // the status in those
};

/// The connections to a server, which are used again and again.
struct remote_link {
    remote_link(const boost::asio::any_io_executor& executor, const remote_address& at);

    partyline::http::connection_pool pool;
    const field_list fields; // that each request has besides
};

/// One request over HTTP and its answer. Destroying it closes its connection, unless the answer was read to its end.
///
/// Everything is awaited on the executor; fails with `system_error`, also where the server wants to know first who asks
/// (`errc::http_status`, for 401 and 407); is cancelled with operation_aborted.
class http_call {
public:
    explicit http_call(remote_link& over);
    ~http_call();
    http_call(const http_call&) = delete;
    http_call& operator=(const http_call&) = delete;

    /// Sends a POST, and waits for the head of the answer. What `asks` nothing waits for none of the connections that
    /// calls have, for it may be what these wait for; it has 30 s to be taken, and fails with `errc::timeout` then.
    boost::asio::awaitable<answer_head> post(field_list fields, std::string body, bool asks);
    /// The same without a message.
    boost::asio::awaitable<answer_head> get(field_list fields) { return send("GET", std::move(fields), {}, false); }
    boost::asio::awaitable<answer_head> remove(field_list fields)
    {
        return send("DELETE", std::move(fields), {}, false);
    }
    /// The next message of the answer: all of its body, or the data of an event. Empty: there are no more.
    boost::asio::awaitable<std::optional<std::string>> next_message();
    /// Of a stream of events: where it is, and how soon to come back.
    std::string last_event_id() const;
    std::optional<std::chrono::milliseconds> retry() const;
    /// Its connection is free for others. Nothing more comes of this.
    void close() noexcept;

private:
    struct state;
    boost::asio::awaitable<answer_head> send(std::string method, field_list fields, std::string body, bool asks);

    std::unique_ptr<state> state_;
};

} // namespace gateway
