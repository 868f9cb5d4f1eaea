#include <partyline/rpc/detail/handler_result.hpp>

#include "rpc/text_sink.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

namespace json = boost::json;

namespace partyline::detail {
namespace {

constexpr std::size_t usual_size = 1000; // the allocator has such blocks at hand

/// False where it has no text; `out` then holds a part of it.
bool write_text(byte_buffer& out, const request_context& context, write_function write, const void* result)
{
    out.reserve(usual_size);
    text_sink sink(out, context.max_depth(), empty_policy(context));
    write(sink, result);
    return !sink.has_failed();
}

json_text text_of(byte_buffer& written)
{
    return json_text(json_view::checked(written.view()));
}

// The value has no text either, but a reason.
json_text make_text_of(const request_context& context, const json::value& value)
{
    byte_buffer written;
    const std::optional<unwritable> problem = write_value(written, value, context.max_depth());
    if (!problem)
        return text_of(written);
    if (context.id().empty())
        return json_text(json_view::checked("null"));
    throw rpc_error(unwritable_error(*problem));
}

} // namespace

empty_optionals empty_policy(const request_context& context)
{
    return context.binding().empty.value_or(empty_optionals::left_out);
}

json_text make_text(const request_context& context, write_function write, const void* result)
{
    byte_buffer written;
    if (write_text(written, context, write, result)) [[likely]]
        return text_of(written);
    return make_text_of(context, make_value(write, result, empty_policy(context)));
}

void write_parts(const request_context& context, result_writer& out, write_function write, const void* result)
{
    byte_buffer written;
    if (write_text(written, context, write, result)) [[likely]]
        out.write(json_view::checked(written.view()));
    else
        out.write(make_value(write, result, empty_policy(context)));
}

} // namespace partyline::detail
