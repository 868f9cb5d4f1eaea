#pragma once

#include "http/serve/connection_stages.hpp"
#include "http/serve/current_request.hpp"
#include "http/serve/endpoint.hpp"
#include "http/serve/http_service.hpp"
#include "http/serve/opened_connection.hpp"
#include "http/serve/timed_connections.hpp"
#include "http/serve/working_set.hpp"
#include "transport/socket/socket_channel.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

namespace partyline::http {

/// A connection whose client speaks HTTP: reads requests, has them answered one after the other, and watches the time
/// that its client takes.
///
/// Flow: reads as much as there is; answers every request that is complete; writes all answers at once; waits, without
/// a buffer, until there is something to read. While an answer is awaited, also without a buffer, it goes on waiting
/// for the client, to see that it goes away, and reads no more than a little ahead: then the system is asked at each
/// tick.
/// Thread safety: none, everything on the server's executor.
class connection final : public std::enable_shared_from_this<connection>, public timed_connection, private reply_sink {
public:
    /// A stage that ends by `exit`, which it does not use before it is started.
    connection(std::shared_ptr<http_service> of, opened_connection opened, stage_exit exit);

    /// Reads what has come already. `refusal`: answers with that instead, and ends. Nothing happens when it was stopped
    /// before.
    void start(std::optional<response> refusal) noexcept;
    /// Answers the request under way, or one that comes within a second, and says in the answer that the connection
    /// ends with it.
    void close_in_order() override;
    void stop_at_once() noexcept override;
    /// For a request.
    bool has_waited_too_long(clock::time_point now) const noexcept override;
    void on_tick(clock::time_point now) override;
    /// Ends the connection; a client whose answer has not begun is told (503).
    void give_up() noexcept override;

private:
    /// idle: no request has begun; receiving: a part of a request; answering: the request is complete, and its answer
    /// is not; finishing: the last answer is being sent; lingering: it was, and the client has not ended its side.
    enum class phase : std::uint8_t { idle, receiving, answering, finishing, lingering, closed };

    // Whatever goes wrong here ends this connection, and no other one.
    template <class Step>
    void guard(const Step& step) noexcept
    {
        const std::shared_ptr<connection> hold = shared_from_this();
        try {
            step();
        } catch (...) {
            is_producing_ = is_advancing_ = false;
            core_->note_failure(std::current_exception());
            stop_at_once();
        }
    }
    void enter(phase next) noexcept;

    // What comes.
    void wait_readable();
    void read();
    void discard_input();
    void advance();
    bool take_request();
    bool has_more() const noexcept;
    void move_to_session();

    // What is answered.
    void on_request();
    void answer(response known);
    void answer_and_close(response known);
    void break_off(response known);
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
    void hand_on();
    void linger();
    bool has_lost_client();
    void check_writing(clock::time_point now);
    void comment();
    void renew_access();

    const std::shared_ptr<http_service> core_;
    socket_channel channel_;
    stage_exit exit_;
    borrowed_set work_;
    current_request request_;
    kept_state kept_;
    std::shared_ptr<exchange> exchange_;
    std::unique_ptr<upgrade> upgrade_; // what the last answer has begun
    clock::time_point since_;          // this phase began
    clock::time_point last_sent_;      // the client took something
    phase at_ = phase::receiving;
    bool is_waiting_ = false; // for something to read
    bool is_writing_ = false; // waits for the client to take something
    bool is_advancing_ = false;
    bool is_producing_ = false;
    bool has_begun_answer_ = false; // its head is written
};

} // namespace partyline::http
