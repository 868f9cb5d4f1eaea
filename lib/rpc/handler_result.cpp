#include <partyline/rpc/detail/handler_result.hpp>

#include "protocol/json/scratch_buffer.hpp"
#include "rpc/text_sink.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/writer.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

/// False where it has no text; `out` then holds a part of it.
bool write_text(byte_buffer& out, const request_context& context, write_function write, const void* result)
{
    text_sink sink(out, context.max_depth(), empty_policy(context));
    write(sink, result);
    return !sink.has_failed();
}

// The value has no text either, but a reason.
void append_value(byte_buffer& out, const request_context& context, const json::value& value)
{
    const std::optional<unwritable> problem = write_value(out, value, context.max_depth());
    if (problem && !context.id().empty())
        throw rpc_error(unwritable_error(*problem));
    if (problem)
        out.append("null");
}

task<error_object> ready(error_object error)
{
    co_return error;
}

void deliver_refusal(task_promise_base& ended, const request_context&, result_writer& out)
{
    out.refuse(static_cast<task_promise<error_object>&>(ended).take());
}

} // namespace

task_root refused_task(error_object error)
{
    return {ready(std::move(error)), &deliver_refusal};
}

empty_optionals empty_policy(const request_context& context)
{
    return context.binding().empty.value_or(empty_optionals::left_out);
}

void append_text(byte_buffer& out, const request_context& context, write_function write, const void* result)
{
    const std::size_t before = out.size();
    if (write_text(out, context, write, result)) [[likely]]
        return;
    out.truncate(before);
    append_value(out, context, make_value(write, result, empty_policy(context)));
}

json_text make_text(const request_context& context, write_function write, const void* result)
{
    scratch_buffer written;
    append_text(written.get(), context, write, result);
    return json_text(json_view::checked(written.get().view()));
}

void write_parts(const request_context& context, result_writer& out, write_function write, const void* result)
{
    scratch_buffer written;
    if (write_text(written.get(), context, write, result)) [[likely]]
        out.write(json_view::checked(written.get().view()));
    else
        out.write(make_value(write, result, empty_policy(context)));
}

} // namespace partyline::detail
