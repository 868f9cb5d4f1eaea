#pragma once

#include "http/serve/exchange.hpp"
#include "http/serve/reply_status.hpp"
#include "http/serve/request.hpp"
#include "http/wire/event_bracket.hpp"
#include "http/wire/media.hpp"
#include "session/output/outlet.hpp"

#include <partyline/session/access_control.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::http {

/// The answer to a POST as long as it may become one JSON text: the form stays open until something is to be said.
///
/// Flow: tell it what the outlet's user is told; `decide()` whenever there may be something; where that says `whole`,
/// `append_whole()` until it is done.
class post_answer {
public:
    enum class next : std::uint8_t {
        wait,
        skip,   // what stands in the outlet is no reply, and can't be told to this client
        events, // what is said is sent as a stream of events
        whole   // nothing more will be said
    };

    /// `written` brackets what is written to the outlet; `access` is the server's, or null.
    void begin(const accepted_types& accepts, response_style style, status_rule by, event_bracket& written,
               const access_control* access);

    void on_taken(message_type type) noexcept { taken_ = type; }
    void on_answered(const reply_given& how) noexcept
    {
        error_ = how.error_code;
        was_served_ = how.was_served;
    }
    /// Whether the last reply was an error.
    bool has_failed() const noexcept { return error_ != 0; }

    next decide(outlet& from) const;
    /// The reply that is sent whole; empty where there is none.
    std::string_view reply_in(outlet& from) const;
    exchange::progress append_whole(byte_buffer& out, outlet& from, reply_sink& line, std::string_view date);

    response_style& style() noexcept { return style_; }

private:
    int status() const noexcept;
    std::string fields_of(int status) const;

    event_bracket* written_ = nullptr;
    const access_control* access_ = nullptr;
    accepted_types accepts_;
    response_style style_;
    status_rule rule_ = status_rule::plain;
    message_type taken_ = message_type::bad;
    int error_ = 0; // of the last reply; 0: a result
    bool was_served_ = false;
    std::string_view json_;      // what is left to be sent
    std::size_t json_bytes_ = 0; // what it takes in the outlet; 0: nothing has been sent
};

/// There is no room for a request, or nobody to serve it, now.
response busy();

} // namespace partyline::http
