#include "fleet/front/front_message.hpp"

#include "session/calls/reply_reader.hpp"
#include "transport/socket/address_count.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <utility>

namespace partyline::fleet {
namespace {

bool write_message(byte_buffer& out, const fleet_call& what)
{
    if (what.method.empty())
        return false;
    if (what.params.empty()) {
        if (what.id.empty())
            write_notification(out, what.method);
        else
            write_request(out, what.id, what.method);
        return true;
    }
    if (what.params.text().front() != '{' && what.params.text().front() != '[')
        return false;
    if (what.id.empty())
        write_notification_head(out, what.method);
    else
        write_request_head(out, what.id, what.method);
    const bool is_written = !write_text(out, what.params, limits().depth);
    write_tail(out);
    return is_written;
}

error_object bad_reply()
{
    return {error_codes::internal_error, "The worker has given no answer that can be read", std::nullopt};
}

} // namespace

std::optional<calling_peer> calling_peer_of(const peer_identity* who)
{
    if (!who || who->principal.empty())
        return std::nullopt;
    return calling_peer{who->principal, who->source, who->scopes};
}

std::string client_of(const peer_identity& who)
{
    if (!who.principal.empty())
        return who.source + '\n' + who.principal; // neither has a line feed
    if (who.address)
        return origin_of(who.address->ip).to_string();
    return who.local ? std::to_string(who.local->user) : std::string();
}

std::optional<new_call> make_call(fleet_call what, const front_options& options)
{
    byte_buffer text;
    if (!write_message(text, what))
        return std::nullopt;
    new_call made;
    made.message = text.view();
    made.deadline = what.deadline.value_or(options.deadline);
    made.is_idempotent = what.is_idempotent ? *what.is_idempotent
                                            : options.is_idempotent && options.is_idempotent(what.method, what.params);
    made.peer = calling_peer_of(what.peer.get());
    made.client = what.client.empty() && what.peer ? client_of(*what.peer) : std::move(what.client);
    made.traceparent = std::move(what.traceparent);
    made.proof_id = std::move(what.proof_id);
    return made;
}

response read_answer(const std::string& text, message_reader& reader)
{
    const message& m = reader.read(text);
    error_code failed;
    if (m.type != message_type::reply)
        return bad_reply();
    response read = read_reply(m, failed);
    if (failed)
        return bad_reply();
    return read;
}

} // namespace partyline::fleet
