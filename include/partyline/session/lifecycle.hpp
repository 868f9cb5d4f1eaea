#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/message.hpp>

#include <any>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline {

class access_view;
class session_link;

/// The ways to treat a message.
enum class ruling_action : std::uint8_t {
    serve,                ///< as any other
    answer,               ///< a request that the protocol itself answers, with `ruling::result`
    answer_unless_served, ///< the same, where no method serves it; a notification is done then
    drop,                 ///< a notification that may not come now; a request is answered -32600
    refuse,               ///< a request that may not come now, or not in this form: answered with `ruling::error`
    end                   ///< the conversation is over: it ends with `ruling::end_result`
};

/// The decision of a protocol's lifecycle about a message.
struct ruling {
    /// The treatment of the message; each member below is for some treatments only.
    ruling_action action = ruling_action::serve;
    /// For `answer` and `answer_unless_served`: the result that the request is answered with; by default null.
    json_text result = {};
    /// For `refuse`: the error that the request is answered with.
    error_object error = {};
    /// For `end`: the code that `session::async_run` completes with.
    error_code end_result = {};
    /// A process without which we have no reason to go on; its end ends the session with `errc::peer_gone`. (Not looked
    /// at on sockets: there the number may be another machine's.)
    std::optional<int> watch_process = {};
    /// The protocol's facts about this request, for `request_context::facts`, where it is served.
    std::any facts = {};
    /// A line for the log; empty when there is nothing to say.
    std::string log_line = {};
};

/// How a request can end. `none`: a notification, or a request that was cancelled where the profile has no answer then.
enum class answer_outcome : std::uint8_t { result, error, none };

/// How a request has ended, as the peer sees it.
struct answer_given {
    /// The exact text of the request's id; empty for a message without a usable one, and for notifications.
    std::string_view id;
    /// The name that the peer has called.
    std::string_view method;
    /// The kind of its answer, if any.
    answer_outcome outcome = answer_outcome::result;
    /// The error's code; 0 otherwise.
    int error_code = 0;
};

/// The state that a profile keeps for one session: decides, from the messages so far, which one may come next.
///
/// Flow: called for each message as it arrives, before any message that waits, and again when a request has its answer.
/// A request whose id is in flight is refused without a call, and so is a message that the profile never allows.
/// Thread safety: used on the session's executor; it synchronizes data that handlers see by itself.
/// Errors: messages of a peer never cause an exception; they are refused, dropped, or served. An exception ends the
/// session.
class PARTYLINE_EXPORT lifecycle {
public:
    virtual ~lifecycle() = default;

    /// Called once when the session is made, before anything else: `own` is a handle to it that can be used from
    /// anywhere, such as to notify the peer at any time. An exception fails the making of the session.
    virtual void on_attached(std::shared_ptr<session_link> own) { static_cast<void>(own); }

    /// Decides about a request. `reader` finds members of the params: see `message_reader::find_param`. The message's
    /// views are valid until this returns.
    virtual ruling on_request(const message& m, message_reader& reader) = 0;
    /// Decides about a notification, also about cancels.
    virtual ruling on_notification(const message& m, message_reader& reader) = 0;
    /// Whether batches may be received and sent now; where `profile::allows_batches` allows them at all.
    virtual bool allows_batches() const { return true; }
    /// Whether requests are answered from now on; requests that are being served are answered in any case. False:
    /// requests, and texts that are no message, are dropped, and the log says so.
    virtual bool answers() const { return true; }
    /// Whether the conversation goes on in another session of the transport where the peer has lost the former one: see
    /// `http::mcp_client`. False: it ends then.
    virtual bool renews_session() const { return true; }
    /// The revision of the protocol that a message is served by, about which `on_request` or `on_notification` has just
    /// been asked; empty where that is not known, or there are none. The view is valid as long as the message's. Asked
    /// where the session has a hook, for `served_event::protocol_version`.
    virtual std::string_view protocol_version(const message& m, message_reader& reader) const
    {
        static_cast<void>(m);
        static_cast<void>(reader);
        return {};
    }
    /// Called when a request that was served, or that the lifecycle answered, has its answer, or has ended without one.
    /// The views are valid during the call.
    virtual void on_answered(const answer_given&) {}
    /// Called when the view of the peer was replaced, see `session::use_access`; a null one allows everything. Both are
    /// valid during the call.
    virtual void on_access_changed(const access_view* former, const access_view* now)
    {
        static_cast<void>(former);
        static_cast<void>(now);
    }
};

} // namespace partyline
