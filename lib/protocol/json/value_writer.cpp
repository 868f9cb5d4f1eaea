#include "protocol/json/number_writer.hpp"
#include "protocol/json/string_writer.hpp"

#include <partyline/protocol/writer.hpp>

#include <utility>

namespace partyline {
namespace {

namespace json = boost::json;

/// Writes one value. It recurses, as the destructor of a `json::value` does; `room` bounds both.
class value_writer {
public:
    value_writer(byte_buffer& out, std::optional<unwritable>& failure) : out_(out), failure_(failure) {}

    bool write(const json::value& value, std::size_t room);

private:
    bool write_array(const json::array& array, std::size_t room);
    bool write_object(const json::object& object, std::size_t room);
    bool write_name(char mark, std::string_view name);
    bool write_string(std::string_view text);
    bool write_double(double number);
    template <class Number>
    bool write_number(Number number);
    bool write_literal(std::string_view text);
    bool fail(std::string reason);
    bool fail_at(std::string_view name);

    byte_buffer& out_;
    std::optional<unwritable>& failure_;
};

bool value_writer::write(const json::value& value, std::size_t room)
{
    switch (value.kind()) {
    case json::kind::null: return write_literal("null");
    case json::kind::bool_: return write_literal(value.get_bool() ? "true" : "false");
    case json::kind::int64: return write_number(value.get_int64());
    case json::kind::uint64: return write_number(value.get_uint64());
    case json::kind::double_: return write_double(value.get_double());
    case json::kind::string: return write_string(value.get_string());
    case json::kind::array: return write_array(value.get_array(), room);
    case json::kind::object: return write_object(value.get_object(), room);
    }
    return fail("not a JSON value");
}

bool value_writer::write_array(const json::array& array, std::size_t room)
{
    if (room == 0)
        return fail("");
    char mark = '[';
    for (const json::value& element : array) {
        out_.push_back(std::exchange(mark, ','));
        if (!write(element, room - 1)) [[unlikely]]
            return fail_at(std::to_string(&element - array.data()));
    }
    if (array.empty())
        out_.push_back('[');
    out_.push_back(']');
    return true;
}

bool value_writer::write_object(const json::object& object, std::size_t room)
{
    if (room == 0)
        return fail("");
    char mark = '{';
    for (const json::key_value_pair& member : object) {
        if (!write_name(std::exchange(mark, ','), member.key())) [[unlikely]]
            return fail_at(member.key());
        if (!write(member.value(), room - 1)) [[unlikely]]
            return fail_at(member.key());
    }
    if (object.empty())
        out_.push_back('{');
    out_.push_back('}');
    return true;
}

bool value_writer::write_name(char mark, std::string_view name)
{
    return append_name(out_, mark, name) || fail("text that is not UTF-8");
}

bool value_writer::write_string(std::string_view text)
{
    return append_string(out_, text, bad_bytes::refuse) || fail("text that is not UTF-8");
}

template <class Number>
bool value_writer::write_number(Number number)
{
    append_number(out_, number);
    return true;
}

bool value_writer::write_double(double number)
{
    return append_double(out_, number) || fail("a number that is not finite");
}

bool value_writer::write_literal(std::string_view text)
{
    out_.append(text);
    return true;
}

bool value_writer::fail(std::string reason)
{
    failure_.emplace().reason = std::move(reason);
    return false;
}

// On the way out of a failure, each level puts its step before the JSON pointer (RFC 6901).
bool value_writer::fail_at(std::string_view name)
{
    std::string pointer = "/";
    for (const char c : to_valid_utf8(name)) {
        if (c == '~' || c == '/')
            pointer += c == '~' ? "~0" : "~1";
        else
            pointer += c;
    }
    failure_->where.insert(0, pointer);
    return false;
}

} // namespace

std::optional<unwritable> write_value(byte_buffer& out, const json::value& value, std::size_t max_depth)
{
    const std::size_t before = out.size();
    std::optional<unwritable> failure;
    if (value_writer(out, failure).write(value, max_depth)) [[likely]]
        return failure;
    out.truncate(before);
    if (failure->reason.empty())
        failure->reason = "nested deeper than " + std::to_string(max_depth);
    return failure;
}

} // namespace partyline
