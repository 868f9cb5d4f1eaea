#pragma once

#include "http/client/event_stream.hpp"
#include "http/client/exchange_protocol.hpp"
#include "http/client/reconnect_rules.hpp"
#include "http/connections/connection_pool.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::http {

class answer_stream;
class client_driver;

/// One outgoing message: its POST, and the messages in the answer.
///
/// Flow: `start()`; it ends when the answer has ended, or by `abort()`.
/// Ownership: its own coroutine owns it until the end.
class client_exchange final : public std::enable_shared_from_this<client_exchange>,
                              public boost::intrusive::list_base_hook<> {
public:
    client_exchange(std::shared_ptr<client_driver> of, posted_message sent);
    ~client_exchange();

    void start();
    void abort() noexcept;
    const posted_message& sent() const noexcept { return sent_; }

private:
    boost::asio::awaitable<void> run();
    boost::asio::awaitable<void> post();
    boost::asio::awaitable<pooled_response> send(std::vector<field_text> fields);
    boost::asio::awaitable<bool> wait_to_retry(std::optional<std::chrono::seconds> asked);
    boost::asio::awaitable<void> hear(pooled_response answer);
    boost::asio::awaitable<void> skim(pooled_response answer);
    boost::asio::awaitable<event_place> read_answer(pooled_response answer);
    boost::asio::awaitable<void> read_reply(pooled_response& answer, time_limit until);
    boost::asio::awaitable<event_place> read_events(answer_stream& messages);
    boost::asio::awaitable<void> take_up_again(event_place from);
    boost::asio::awaitable<std::optional<std::string>> read_body(pooled_response& answer, time_limit until);
    boost::asio::awaitable<void> give_up(std::string words, std::optional<std::string> said, shown_secrets secrets);
    void fail(error_code why, const std::string& details) noexcept;

    const std::shared_ptr<client_driver> driver_;
    const posted_message sent_;
    boost::asio::cancellation_signal stop_;
    reconnect_rules retries_; // of a busy server
};

} // namespace partyline::http
