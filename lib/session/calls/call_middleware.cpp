#include <partyline/session/call_middleware.hpp>

#include "protocol/message/throw_unwritable.hpp"
#include "session/calls/held_call.hpp"
#include "session/calls/object_text.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>
#include <partyline/session/call_params.hpp>

#include <algorithm>
#include <utility>

namespace partyline {

void peer_call::set_metadata(std::string_view name, const boost::json::value& value)
{
    constexpr std::size_t levels_around = 3; // the envelope, the params, the metadata
    std::string text;
    if (metadata_.empty() || call_params(params).append_to(text, depth_) || (!text.empty() && !is_object(text)))
        return; // params that are none are refused later on
    byte_buffer written;
    throw_unwritable(write_value(written, value, depth_ - std::min(depth_, levels_around)));
    const std::string known = text.empty() ? std::string() : member_of(text, metadata_);
    const std::string made = with_member(text, metadata_, with_member(known, name, written.view()));
    params = json_text(json_view::checked(made));
}

bool peer_call::set_proof_beside(std::string proof)
{
    if (is_posted_alone_)
        proof_beside_ = std::move(proof);
    return is_posted_alone_;
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
