#pragma once

#include "async/keep_running.hpp"
#include "http/client/client_exchange.hpp"
#include "http/client/exchange_protocol.hpp"
#include "http/connections/connection_pool.hpp"
#include "session/conversation.hpp"
#include "session/lazy_timer.hpp"
#include "transport/session_driver.hpp"

#include <partyline/async/async_event.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/intrusive/list.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// Drives one conversation with a server over HTTP: each outgoing message is a POST, and incoming messages are in the
/// answers.
///
/// Flow: takes messages from the conversation's outbox and starts a `client_exchange` for each, up to the most at a
/// time. The rest waits in the outbox, whose marks hold back the callers.
/// Thread safety: as `session_driver` says.
class client_driver final : public session_driver,
                            public std::enable_shared_from_this<client_driver>,
                            private conversation::host,
                            private outlet::user {
public:
    /// Most POSTs at a time, whether they have a connection or wait for one.
    static constexpr std::size_t max_exchanges = 256;

    client_driver(boost::asio::any_io_executor serial, url to, connection_options how,
                  std::unique_ptr<exchange_protocol> speaks, std::shared_ptr<const dispatcher> methods,
                  session_options options);
    ~client_driver() override;

    // session_driver
    boost::asio::any_io_executor get_executor() const override { return executor_; }
    void start(completion<error_code> done) override;
    void stop(error_code result) override;
    void close() override { close_by(&conversation::close); }
    bool takes_calls() const noexcept override { return !conversation_->context().end.is_stopping(); }
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed) override;
    call_origin origin() const override { return {conversation_->context().calling, executor_}; }
    void use_methods(std::shared_ptr<const dispatcher> methods) override;
    void use_access(std::shared_ptr<const access_view> view) override;
    void use_quota(std::shared_ptr<request_quota> quota) override;
    void end_access() override { close_by(&conversation::end_access); }
    std::shared_ptr<partyline::lifecycle> lifecycle() const override { return conversation_->context().lifecycle; }
    session_counters counters() const noexcept override { return conversation_->context().counters.snapshot(); }

    // For exchanges and the protocol.

    const std::shared_ptr<conversation>& own_conversation() const noexcept { return conversation_; }
    /// Sends a request with its token, and again with others where the server refuses that: see `request_token`. The
    /// server is left without one after the session has ended.
    ///
    /// Fails with       as `connection_pool::send` and `request_token`
    /// Cancellation     terminal, partial, total: operation_aborted
    boost::asio::awaitable<pooled_response> send(client_request request, time_limit until);
    const url& server() const noexcept { return pool_.server(); }
    exchange_protocol& protocol() noexcept { return *protocol_; }
    std::size_t max_message() const noexcept { return conversation_->context().options.bounds.message_bytes; }
    /// All fields of the POST of a message.
    std::vector<field_text> fields_for(const posted_message& sent) const;
    /// The fields of all requests, without those of the protocol.
    const std::vector<field_text>& fields() const noexcept { return fields_; }
    /// A request to the server's address.
    client_request request_for(std::string method, std::vector<field_text> fields) const;
    /// The body of a refusal of a POST, as the conversation is to take it: an error whose id is null gets the id of the
    /// call, if the POST was one call. JSON-RPC 2.0 §5: null where the server has not read the id.
    std::string addressed_to(const posted_message& refused, std::string body);
    struct body_facts {
        bool is_message = false; // what a proxy says of its own accord is not, and is not to be answered
        bool is_reply = false;   // to a request, ours or not
    };
    body_facts look_at(std::string_view body);
    /// Whether a call in the message still waits for its reply.
    bool is_wanted(const posted_message& sent) const;
    /// Passes an incoming message to the conversation as soon as that has room for it. A message that runs a handler
    /// waits for a slot, and holds back no other stream. False: the conversation has ended. `answered` is the message
    /// whose answer it came in; without ids for the server's own stream.
    boost::asio::awaitable<bool> take(const posted_message& answered, std::string text);
    /// The server has accepted a POST: messages that wait for it are sent.
    void note_taken(const client_exchange& one) noexcept;
    /// An exchange has ended.
    void forget(client_exchange& one) noexcept;
    /// An exchange is destroyed, possibly together with the context that ran it.
    void unlink(client_exchange& one) noexcept;
    bool has_ended() const noexcept { return at_ != phase::running; }
    void log(std::string_view line) const noexcept;

private:
    enum class phase : std::uint8_t { created, running, closing, leaving, complete };

    // conversation::host and outlet::user
    void flush() override;
    void resume_reading() override;
    void on_end(error_code result) noexcept override;

    boost::asio::awaitable<pooled_response> send_with_token(client_request request, time_limit until);
    boost::asio::awaitable<void> wait_for_room();
    bool runs_handlers(std::string_view text);
    void close_by(void (conversation::*how)());
    void take_from(outlet& box, std::size_t most);
    void post(std::string text);
    posted_message read(std::string text);
    void abort_unwanted();
    void start_listening();
    void go_on_closing() noexcept;
    void give_up_closing() noexcept;
    void complete() noexcept;

    boost::asio::any_io_executor executor_;
    connection_pool pool_;
    const std::shared_ptr<token_source> tokens_;
    std::unique_ptr<exchange_protocol> protocol_;
    std::vector<field_text> fields_; // of all requests
    shown_secrets secrets_;          // that they have
    std::shared_ptr<conversation> conversation_;
    outlet* answers_ = nullptr; // of incoming messages and the replies to them
    message_reader reader_;
    keep_running life_; // until the end
    lazy_timer close_timer_;
    async_event room_; // there may be room, or the end has come
    boost::asio::cancellation_signal stop_listening_;
    boost::intrusive::list<client_exchange> exchanges_;
    const client_exchange* ahead_ = nullptr; // until it has been answered, only replies are sent
    std::optional<completion<error_code>> done_;
    error_code result_;
    phase at_ = phase::created;
};

} // namespace partyline::http
