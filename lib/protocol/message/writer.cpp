#include <partyline/protocol/writer.hpp>

#include "protocol/json/one_line.hpp"
#include "protocol/json/scanner.hpp"

#include <cstring>

namespace partyline {
namespace {

constexpr std::string_view before_id = R"({"jsonrpc":"2.0","id":)";
constexpr std::string_view before_result = R"(,"result":)";

inline char* put(char* to, std::string_view text)
{
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

std::string_view text_or_null(std::string_view text)
{
    return text.empty() ? "null" : text;
}

std::string reason_of(const scanner& scan, std::size_t max_depth)
{
    if (scan.problem() == scanner::fault::too_deep)
        return "nested deeper than " + std::to_string(max_depth);
    return "not JSON";
}

} // namespace

std::optional<unwritable> write_text(byte_buffer& out, const json_text& text, std::size_t max_depth)
{
    if (text.is_checked()) {
        write_text(out, json_view::checked(text.text()));
        return std::nullopt;
    }
    scanner scan;
    scan.start(text.text());
    const char* p = scan.skip_value(scanner::skip_space(text.text().c_str()), max_depth);
    if (!p || !scan.at_end(p))
        return unwritable{"byte " + std::to_string(scan.offset()), reason_of(scan, max_depth)};
    append_on_one_line(out, text.text());
    return std::nullopt;
}

void write_text(byte_buffer& out, json_view text)
{
    append_on_one_line(out, text_or_null(text.text()));
}

void write_reply_head(byte_buffer& out, std::string_view id)
{
    id = text_or_null(id);
    const std::size_t size = before_id.size() + id.size() + before_result.size();
    put(put(put(out.prepare(size), before_id), id), before_result);
    out.commit(size);
}

void write_request_head(byte_buffer& out, std::string_view id, std::string_view method)
{
    out.append(before_id);
    out.append(id);
    out.append(R"(,"method":)");
    write_string(out, method);
    out.append(R"(,"params":)");
}

void write_notification_head(byte_buffer& out, std::string_view method)
{
    out.append(R"({"jsonrpc":"2.0","method":)");
    write_string(out, method);
    out.append(R"(,"params":)");
}

void write_tail(byte_buffer& out)
{
    out.push_back('}');
}

namespace {

// Params are optional, and null is none (JSON-RPC 2.0 §4.2): the name of the member goes again when there are none.
void finish_call(byte_buffer& out, json_view params)
{
    if (params.empty())
        out.truncate(out.size() - std::string_view(R"(,"params":)").size());
    else
        write_text(out, params);
    write_tail(out);
}

} // namespace

void write_request(byte_buffer& out, std::string_view id, std::string_view method, json_view params)
{
    write_request_head(out, id, method);
    finish_call(out, params);
}

void write_notification(byte_buffer& out, std::string_view method, json_view params)
{
    write_notification_head(out, method);
    finish_call(out, params);
}

void write_reply(byte_buffer& out, std::string_view id, json_view result)
{
    id = text_or_null(id);
    const std::string_view text = text_or_null(result.text());
    const std::size_t size = before_id.size() + id.size() + before_result.size() + text.size() + 1;
    char* p = put(put(put(out.prepare(size), before_id), id), before_result);
    *put_on_one_line(p, text) = '}';
    out.commit(size);
}

void write_error(byte_buffer& out, std::string_view id, const error_object& error, std::size_t max_depth,
                 unknown_id when_unknown)
{
    out.append(R"({"jsonrpc":"2.0")");
    if (!id.empty() || when_unknown == unknown_id::null) {
        out.append(R"(,"id":)");
        out.append(text_or_null(id));
    }
    out.append(R"(,"error":{"code":)");
    out.append(std::to_string(error.code));
    out.append(R"(,"message":)");
    write_string(out, error.message);
    if (error.data) {
        const std::size_t before = out.size();
        out.append(R"(,"data":)");
        if (write_value(out, *error.data, max_depth))
            out.truncate(before);
    }
    out.append("}}");
}

void batch_writer::begin_element()
{
    out_->push_back(is_empty_ ? '[' : ',');
    is_empty_ = false;
}

void batch_writer::end()
{
    if (!is_empty_)
        out_->push_back(']');
}

} // namespace partyline
