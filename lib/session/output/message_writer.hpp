#pragma once

#include "session/message_tap.hpp"
#include "session/output/batch_reply.hpp"
#include "session/output/outbox.hpp"
#include "session/requests/incoming_request.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/session/message_event.hpp>

#include <boost/json/value.hpp>

#include <memory>
#include <string_view>

namespace partyline {

struct reply_room;

/// Writes what the session says: replies, alone or into their batch, and notifications. Nothing that is not JSON, and
/// nothing over the outgoing limit, gets past it: an error that names the place stands in for such a result. Whatever is
/// thrown meanwhile, nothing is left half written.
class message_writer {
public:
    /// `loses_nothing`: no reply becomes an error because too many wait, whatever memory that takes.
    message_writer(outbox& box, const limits& bounds, const message_tap& tap, bool loses_nothing)
        : box_(box), bounds_(bounds), tap_(tap), loses_nothing_(loses_nothing)
    {
    }

    // True when it went out as it was given, false when an error stands in for it.
    bool result(const incoming_request& to, const boost::json::value& value);
    bool result(const incoming_request& to, json_view text);
    bool result(const incoming_request& to, const json_text& text);
    void error(const incoming_request& to, const error_object& error);

    /// Answers what never became a request; an empty id is sent as null. `method` is what it asked for, if that is known.
    void reject(std::string_view id, std::string_view method, const error_object& error, batch_reply* batch);

    /// The same with null as the result.
    void accept(std::string_view id, std::string_view method, batch_reply* batch);

    /// `params` is valid JSON text or empty. `about` is the request that it belongs to, or null.
    void notification(std::string_view method, json_view params, const incoming_request* about);

    /// Lets go of a batch; the last one to do so sends it.
    void drop_hold(batch_reply& batch);

    /// Sends a reply that was written to `from.kept`.
    void forward(const incoming_request& from);

private:
    struct origin {
        std::string_view id;
        std::string_view method;
        const incoming_request* request = nullptr;
        message_event::kind what = message_event::kind::reply;
    };

    template <class Write>
    bool write_result(const incoming_request& to, Write write);
    template <class Write>
    void write_message(batch_reply* batch, const origin& from, Write write);
    template <class Write>
    void write_element(batch_reply& batch, const origin& from, Write write);
    template <class Write>
    void write_kept(byte_buffer& out, Write write);
    reply_room room_for_message(std::size_t used = 0) const;
    reply_room room_for(std::size_t used, const char* reason) const;
    bool may_pass(std::string_view text, const origin& from, bool is_element) const;

    outbox& box_;
    const limits& bounds_;
    const message_tap& tap_;
    const bool loses_nothing_;
};

} // namespace partyline
