#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

/// What a protocol's lifecycle makes of a message.
struct ruling {
    enum class kind : std::uint8_t {
        serve,  // as any other
        accept, // a request that the protocol itself answers, with null, where no method does
        drop,   // a notification that may not come now
        refuse, // a request that may not come now, or not so: with `error`
        end     // the conversation is over: it ends with `result`
    };
    kind what = kind::serve;
    error_object error = {};
    error_code result = {};
    /// A process without which we have no reason to go on.
    std::optional<int> process = {};
    /// A line for the log; empty when there is nothing to tell.
    std::string note = {};
};

/// Knows what has been, and so which message may come: the part of a profile that has a memory. One for each session.
///
/// Flow: asked about each message as it arrives, ahead of all that waits, and told when a request has its answer.
/// Thread safety: used on the session's executor; what it shows to handlers is its own affair.
/// Errors: what a peer sends is never thrown about; it is refused, dropped, or served.
class lifecycle {
public:
    virtual ~lifecycle() = default;

    virtual ruling on_request(const message& m, message_reader& reader) = 0;
    virtual ruling on_notification(const message& m, message_reader& reader) = 0;
    virtual void on_answered(std::string_view method, bool is_error) = 0;
};

} // namespace partyline
