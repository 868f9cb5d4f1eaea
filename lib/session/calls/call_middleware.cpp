#include <partyline/session/call_middleware.hpp>

#include "session/calls/held_call.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/limits.hpp>
#include <partyline/protocol/writer.hpp>

#include <stdexcept>

namespace partyline {

void peer_call::set_metadata(std::string_view name, const boost::json::value& value)
{
    const std::string& text = params.text();
    if (metadata_.empty() || (!params.empty() && !is_object(text)))
        return;
    byte_buffer written;
    if (const std::optional<unwritable> problem = write_value(written, value, limits().depth))
        throw std::invalid_argument("cannot be sent: " + problem->reason + " at \"" + problem->where + '"');
    const std::string known = params.empty() ? std::string() : member_of(text, metadata_);
    const std::string made = with_member(text, metadata_, with_member(known, name, written.view()));
    params = json_text(json_view::checked(made));
}

boost::asio::awaitable<response> next_call::operator()()
{
    return of_.proceed(at_);
}

std::optional<response> call_middleware::before(peer_call&)
{
    return std::nullopt;
}

boost::asio::awaitable<response> call_middleware::around(peer_call&, next_call& next)
{
    return next();
}

} // namespace partyline
