#pragma once

#include "http/client/client_request.hpp"
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
};

/// One request over HTTP and its answer, over a connection of its own. Destroying it closes that.
///
/// Everything is awaited on the executor; fails with `system_error`; is cancelled with operation_aborted.
class http_call {
public:
    http_call(boost::asio::any_io_executor executor, const remote_address& to);
    ~http_call();
    http_call(const http_call&) = delete;
    http_call& operator=(const http_call&) = delete;

    /// Sends it, and waits for the head of the answer.
    boost::asio::awaitable<answer_head> send(std::string method, field_list fields, std::string body);
    /// The next message of the answer: all of its body, or the data of an event. Empty: there are no more.
    boost::asio::awaitable<std::optional<std::string>> next_message();
    /// Of a stream of events: where it is, and how soon to come back.
    std::string last_event_id() const;
    std::optional<std::chrono::milliseconds> retry() const;

private:
    struct state;
    boost::asio::awaitable<bool> read_some();

    std::unique_ptr<state> state_;
};

} // namespace gateway
