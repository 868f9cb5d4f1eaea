#pragma once

#include "http/rules/first_bytes.hpp"
#include "http/rules/host_rules.hpp"
#include "http/serve/access_record.hpp"
#include "http/serve/connection_stages.hpp"
#include "http/serve/endpoint.hpp"
#include "http/serve/origin_queue.hpp"
#include "http/serve/working_set.hpp"
#include "server/connection_service.hpp"
#include "transport/socket/listener.hpp"
#include "transport/socket/socket_channel.hpp"

#include <partyline/http/server_options.hpp>
#include <partyline/protocol/framing.hpp>

#include <boost/intrusive/list_hook.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace partyline::http {

class http_service;

/// One connection: reads requests, has them answered one after the other, and watches the time that its client takes.
///
/// Flow: waits until there is something to read, without a buffer; reads as much as there is; answers every request
/// that is complete; writes all answers at once; waits again. While an answer is awaited, also without a buffer, it
/// goes on waiting for the client, to see that it goes away, and reads no more than a little ahead: then the system is
/// asked at each tick. Thread safety: none, everything on the server's executor.
class connection final : public std::enable_shared_from_this<connection>,
                         public boost::intrusive::list_base_hook<>,
                         public origin_queue::member,
                         private reply_sink {
public:
    using clock = std::chrono::steady_clock;
    /// fresh: what is spoken is not known yet; handshaking: it is TLS; idle: no request has begun; receiving: a part of
    /// a request; answering: the request is complete, and its answer is not; finishing: the last answer is being sent;
    /// lingering: it was, and the client has not ended its side.
    enum class phase : std::uint8_t { fresh, handshaking, idle, receiving, answering, finishing, lingering, closed };

    connection(std::shared_ptr<http_service> of, listener::connection accepted);
    ~connection();

    /// A stage of `of`, which lives until `hooks.on_end` has been told of the end, or this has stopped. Nobody is told
    /// if this throws.
    void start(connection_stages& of, connection_hooks hooks);
    /// Answers the request under way, or one that comes within a second, and says in the answer that the connection
    /// ends with it.
    void close_in_order();
    /// The time to end in order is over: who has asked is told so, if no answer has begun, and the connection ends.
    void give_up() noexcept;
    void stop_at_once() noexcept;
    /// The request that it waits for.
    bool has_waited_too_long(clock::time_point now) const noexcept;
    /// Looks at the time while there is a request: what has taken too long is ended.
    void on_tick(clock::time_point now);

private:
    void guard(void (connection::*step)()) noexcept;
    working_set& work();
    void rest() noexcept;
    void enter(phase next) noexcept;
    /// The unspecified address where there is none.
    boost::asio::ip::address came_from() const
    {
        return peer_.address ? peer_.address->address() : boost::asio::ip::address();
    }

    // What is spoken: connection_opening.cpp
    void open();
    bool take_proxy();
    bool count_client();
    void open_by(opening what);
    void begin_tls();
    void note_handshake(const error_code& failed);
    void open_http();
    void open_session(framing_kind kind, bool is_accepted);
    void refuse_opening();
    bool lacks_tls() const noexcept;
    void refuse_opening(std::string_view text);
    template <class Serve>
    void hand_over(const Serve& serve);

    // What comes: connection_input.cpp
    void wait_readable();
    void read();
    void discard_input();
    void advance();
    bool take_request();
    bool take_head();
    bool has_request_begun() noexcept;
    void skip_empty_lines() noexcept;
    bool take_body();
    void on_head();
    void refuse_body();
    bool has_room_for_body() noexcept;
    void forget_body() noexcept;

    // What is answered.
    void on_request();
    void answer(response known);
    void answer_and_close(response known);
    void break_off(response known);
    void refuse_late();
    void answer_upgrade(upgrade to);
    void produce();
    void finish_request();
    void flush() override;
    void begin_answer(int status, response_style& style) noexcept override;

    // What goes out: connection_output.cpp
    void write();
    void wait_writable();
    void on_writable();
    void settle();
    void linger();
    void check_writing(clock::time_point now);
    bool has_lost_client();
    void time_out();
    void comment();

    std::shared_ptr<http_service> core_;
    socket_channel channel_;
    peer_identity peer_;
    connection_stages* stages_ = nullptr;
    connection_hooks hooks_;
    std::unique_ptr<working_set> work_;
    kept_state kept_;
    std::shared_ptr<exchange> exchange_;
    std::unique_ptr<upgrade> upgrade_; // what the last answer has begun
    std::optional<response> known_;    // the answer, whatever the body is
    response_style style_;
    access_record record_;
    clock::time_point since_;     // this phase began
    clock::time_point last_sent_; // the client took something
    std::size_t requests_ = 0;
    std::size_t counted_ = 0; // bytes of a body under way, in the budget of all
    phase at_ = phase::fresh;
    const accepted_protocols accepted_;
    reach from_;
    bool has_proxy_ = false;  // said from where it comes
    bool is_waiting_ = false; // for something to read
    bool is_writing_ = false; // waits for the client to take something
    bool is_advancing_ = false;
    bool is_producing_ = false;
    bool has_head_ = false;
    bool has_begun_answer_ = false; // its head is written
    bool closes_ = false;           // after this answer
};

} // namespace partyline::http
