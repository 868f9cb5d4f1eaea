#pragma once

#include "session/message_tap.hpp"
#include "session/output/batch_reply.hpp"
#include "session/output/outbox.hpp"
#include "session/requests/incoming_request.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/message_event.hpp>
#include <partyline/session/session_options.hpp>

#include <boost/json/value.hpp>

#include <memory>
#include <string_view>

namespace partyline {

struct reply_room;

/// How a request has ended, as a driver has to know it that answers each request in a place of its own.
struct reply_given : answer_given {
    /// A handler was asked, or the request waited for one; not where the session or the protocol answered by itself.
    bool was_served = false;
};

/// Is told of each reply that has been written.
class reply_listener {
public:
    /// The reply is among what is to be sent, or among those of its batch; or there is none. The views are valid during
    /// the call.
    virtual void on_answered(const reply_given&) noexcept {}

protected:
    ~reply_listener() = default;
};

/// Writes what the session says: replies, alone or into their batch, and notifications. Nothing that is not JSON, and
/// nothing over the outgoing limit, gets past it: an error that names the place stands in for such a result. Whatever
/// is thrown meanwhile, nothing is left half written.
class message_writer {
public:
    /// All live longer.
    message_writer(outbox& box, outlet_number number, const session_options& options, const message_tap& tap)
        : box_(box), number_(number), bounds_(options.bounds), tap_(tap),
          id_when_unknown_(options.profile->id_when_unknown), loses_nothing_(options.on_overload == overload::pause)
    {
    }

    /// Null: nobody is told of replies.
    void set_listener(reply_listener* listener) noexcept { listener_ = listener; }

    // Each says what went out: an error may stand in for a result.
    reply_error result(const incoming_request& to, const boost::json::value& value);
    reply_error result(const incoming_request& to, json_view text);
    reply_error result(const incoming_request& to, const json_text& text);
    reply_error error(const incoming_request& to, const error_object& error);

    /// Refuses what never became a request; an empty id is unknown. `method` is what it asked for, if that is known.
    void refuse(std::string_view id, std::string_view method, const error_object& error, batch_reply* batch);
    /// Answers it. Null for an empty result.
    reply_error answer(std::string_view id, std::string_view method, const json_text& result, batch_reply* batch);

    /// `params` is valid JSON text or empty. `about` is the request that it belongs to, or null.
    void notification(std::string_view method, json_view params, const incoming_request* about);

    /// Sends a batch that is complete; nothing when there is nothing in it.
    void send(batch_reply& batch);

    /// Sends a reply that was written to `from.kept`.
    void forward(const incoming_request& from);

private:
    struct address {
        std::string_view id;
        std::string_view called; // the method of what never became a request
        batch_reply* batch = nullptr;
        const incoming_request* request = nullptr;

        std::string_view method() const noexcept { return request ? request->method_name() : called; }
    };
    static address address_of(const incoming_request& to);

    template <class Write>
    reply_error write_reply(const address& to, Write write);
    template <class Write>
    reply_error write_message(const address& to, Write write);
    template <class Write>
    reply_error write_element(const address& to, Write write);
    template <class Write>
    reply_error write_kept(kept_reply& out, Write write);
    template <class Write>
    reply_error write_result(const address& to, Write write);
    template <class Write>
    reply_error write_result_of(const address& to, Write write);
    void write_error(byte_buffer& out, std::string_view id, const error_object& error) const;
    reply_room room_for_message(std::size_t used = 0) const;
    reply_room room_for(std::size_t used, const char* reason) const;
    void show(const address& to, reply_error error, std::string_view text, bool is_element) const;
    void tell(const address& to, reply_error error) const;

    outbox& box_;
    const outlet_number number_;
    const limits& bounds_;
    const message_tap& tap_;
    reply_listener* listener_ = nullptr;
    const unknown_id id_when_unknown_;
    const bool loses_nothing_; // no reply becomes an error because too many wait, whatever memory that takes
};

} // namespace partyline
