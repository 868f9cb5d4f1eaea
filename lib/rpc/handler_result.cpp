#include <partyline/rpc/detail/handler_result.hpp>

#include "rpc/text_sink.hpp"
#include "session/requests/error_replies.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::detail {
namespace {

/// Where one result after the other is written, in one thread.
struct scratch {
    byte_buffer buffer;
    bool is_used = false;
};

thread_local scratch own_scratch;

/// The scratch of this thread, for one result. Who writes meanwhile, within a conversion of a user's, has a buffer of
/// his own.
class scratch_buffer {
public:
    scratch_buffer() noexcept : from_(own_scratch), is_first_(!std::exchange(from_.is_used, true)) {}
    scratch_buffer(const scratch_buffer&) = delete;
    scratch_buffer& operator=(const scratch_buffer&) = delete;
    ~scratch_buffer()
    {
        if (!is_first_) [[unlikely]]
            return;
        from_.is_used = false;
        from_.buffer.truncate(0);
        if (from_.buffer.capacity() > max_kept) [[unlikely]]
            from_.buffer.clear(max_kept);
    }

    byte_buffer& get() noexcept { return is_first_ ? from_.buffer : other_; }

private:
    static constexpr std::size_t max_kept = std::size_t(64) << 10;

    scratch& from_;
    const bool is_first_;
    byte_buffer other_;
};

/// False where it has no text; `out` then holds a part of it.
bool write_text(byte_buffer& out, const request_context& context, write_function write, const void* result)
{
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
    scratch_buffer written;
    if (write_text(written.get(), context, write, result)) [[likely]]
        return text_of(written.get());
    return make_text_of(context, make_value(write, result, empty_policy(context)));
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
