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

/// One conversation with a server over HTTP: each message of ours is a POST, and what the conversation is to hear comes
/// in the answers.
///
/// Flow: what the conversation says is taken apart into messages, each of which has a `client_exchange`; as many of
/// these are under way as there are places for, and the rest waits in the outbox, whose marks hold back who calls.
/// Thread safety: as `session_driver` says.
class client_driver final : public session_driver,
                            public std::enable_shared_from_this<client_driver>,
                            private conversation::host,
                            private outlet::user {
public:
    /// How many POSTs there are at once, waiting for a connection or over one.
    static constexpr std::size_t max_exchanges = 256;

    client_driver(boost::asio::any_io_executor serial, url to, connection_options how,
                  std::unique_ptr<exchange_protocol> speaks, std::shared_ptr<const dispatcher> methods,
                  session_options options);
    ~client_driver() override;

    // session_driver
    boost::asio::any_io_executor get_executor() const override { return executor_; }
    void start(completion<error_code> done) override;
    void stop(error_code result) override;
    void close() override;
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed) override;
    call_origin origin() const override { return {conversation_->context().calling, executor_}; }
    void use_methods(std::shared_ptr<const dispatcher> methods) override;
    std::shared_ptr<partyline::lifecycle> lifecycle() const override { return conversation_->context().lifecycle; }
    session_counters counters() const noexcept override { return conversation_->context().counters.snapshot(); }

    // For exchanges and the protocol.

    const std::shared_ptr<conversation>& own_conversation() const noexcept { return conversation_; }
    connection_pool& pool() noexcept { return pool_; }
    const url& server() const noexcept { return pool_.server(); }
    exchange_protocol& protocol() noexcept { return *protocol_; }
    std::size_t max_message() const noexcept { return conversation_->context().options.bounds.message_bytes; }
    /// Of a POST of this message, all of them.
    std::vector<field_text> fields_for(const posted_message& sent) const;
    /// A request to the server, of its address.
    client_request request_for(std::string method, std::vector<field_text> fields) const;
    /// The body of a refusal of a POST, as the conversation is to take it: an error whose id is null, in the answer to
    /// one call, has the id of that call. JSON-RPC 2.0 §5: null where the server has not read the id.
    std::string addressed_to(const posted_message& refused, std::string body);
    /// Whether a body is the reply to a request, ours or not.
    bool has_reply(std::string_view body);
    /// Whether somebody still waits for a reply to it.
    bool is_wanted(const posted_message& sent) const;
    /// Hands a message that has come to the conversation, when that has room for it: what is to run a handler waits
    /// for a slot, and holds back no other stream. False: the conversation has ended. `answered` is what the message
    /// came in the answer to, or what nobody has sent.
    boost::asio::awaitable<bool> take(const posted_message& answered, std::string text);
    /// A POST was taken: what waits behind it goes on.
    void note_taken(const client_exchange& one) noexcept;
    /// An exchange is at its end.
    void forget(client_exchange& one) noexcept;
    /// ... or is destroyed, with whatever ran it.
    void unlink(client_exchange& one) noexcept;
    bool has_ended() const noexcept { return at_ != phase::running; }
    void log(std::string_view line) const noexcept;

private:
    enum class phase : std::uint8_t { created, running, closing, leaving, complete };

    // conversation::host and outlet::user
    void flush() override;
    void resume_reading() override;
    void on_end(error_code result) noexcept override;

    boost::asio::awaitable<void> wait_for_room();
    bool runs_handlers(std::string_view text);
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
    std::unique_ptr<exchange_protocol> protocol_;
    std::vector<field_text> fields_; // that all requests have
    std::shared_ptr<conversation> conversation_;
    outlet* answers_ = nullptr; // by which all comes that a server says, and what it is answered goes
    message_reader reader_;
    keep_running life_; // until the end
    lazy_timer close_timer_;
    async_event room_; // there may be room, or the end has come
    boost::asio::cancellation_signal stop_listening_;
    boost::intrusive::list<client_exchange> exchanges_;
    const client_exchange* ahead_ = nullptr; // until it has been answered, nothing else is sent but answers
    std::optional<completion<error_code>> done_;
    error_code result_;
    phase at_ = phase::created;
};

} // namespace partyline::http
