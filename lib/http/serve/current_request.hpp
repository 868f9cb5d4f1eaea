#pragma once

#include "http/serve/access_record.hpp"
#include "http/serve/opened_connection.hpp"
#include "http/serve/request.hpp"
#include "http/serve/working_set.hpp"
#include "http/wire/response_head.hpp"
#include "session/budget_share.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace partyline::http {

class http_service;

/// The request that a connection reads, or answers: how far it has come, what is known of its answer, and what the
/// access log will tell of it.
///
/// Flow: `read()` until it is complete or refused; `take()` what is to be answered; `end()`; then it is the next one.
class current_request {
public:
    enum class progress : std::uint8_t {
        more,      // has to come first
        complete,  // `take_known_answer()`, and where there is none, `take()`
        elsewhere, // another thread has its session; its head is untaken
        refused    // `take_known_answer()`; the connection ends with it, as nobody knows where a next request begins
    };

    /// `core` lives longer. `before`: so many requests have come over the connection already.
    current_request(http_service& core, connected_peer from, std::size_t before = 0);

    /// Whether more has come than empty lines: these do not put off the time limit of an idle connection.
    static bool has_begun(working_set& work) noexcept;
    progress read(working_set& work);
    bool has_head() const noexcept { return has_head_; }
    std::optional<response> take_known_answer() noexcept;
    /// From now on the endpoint counts the memory of the body.
    request take(working_set& work);

    /// Begins a request that is answered without having been read.
    void begin_unread();
    /// Drops the known answer; the style of a head that was read stays.
    void break_off() noexcept;
    void end(working_set& work) noexcept;
    /// The connection has ended.
    void forget_body() noexcept { body_.set(0); }

    const connected_peer& peer() const noexcept { return peer_; }
    /// How many have come over the connection.
    std::size_t number() const noexcept { return number_; }
    /// Of the answer, and whether the connection ends with it.
    response_style& style() noexcept { return facts_.style; }
    /// Of its sender; null: nobody was asked.
    const std::shared_ptr<const access_grant>& grant() const noexcept { return facts_.grant; }
    void use_grant(std::shared_ptr<const access_grant> other) noexcept { facts_.grant = std::move(other); }
    access_record& record() noexcept { return record_; }

private:
    progress read_head(working_set& work);
    progress on_head(working_set& work);
    progress read_body(working_set& work);
    progress refuse(response why);
    bool has_room_for(std::size_t body) noexcept;

    http_service& core_;
    const connected_peer peer_;
    std::optional<response> known_; // the answer, whatever the body is
    request_facts facts_;
    access_record record_;
    budget_share body_; // while it is read
    std::size_t number_ = 0;
    bool has_head_ = false;
};

} // namespace partyline::http
