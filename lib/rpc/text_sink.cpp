#include "rpc/text_sink.hpp"

#include "protocol/json/copy_few.hpp"
#include "protocol/json/number_writer.hpp"
#include "protocol/json/string_writer.hpp"

#include <partyline/protocol/writer.hpp>

#include <utility>

namespace partyline::detail {

inline void text_sink::separate()
{
    if (const char mark = std::exchange(mark_, ','))
        out_.push_back(mark);
}

void text_sink::write_null()
{
    separate();
    out_.append("null");
}

void text_sink::write_bool(bool value)
{
    separate();
    out_.append(value ? "true" : "false");
}

void text_sink::write_signed(std::int64_t number)
{
    separate();
    append_number(out_, number);
}

void text_sink::write_unsigned(std::uint64_t number)
{
    separate();
    append_number(out_, number);
}

void text_sink::write_double(double number)
{
    separate();
    note(append_double(out_, number));
}

void text_sink::write_string(std::string_view text)
{
    separate();
    note(append_string(out_, text, bad_bytes::refuse));
}

void text_sink::write_value(const boost::json::value& value)
{
    separate();
    note(!partyline::write_value(out_, value, room_));
}

inline bool text_sink::enter()
{
    separate();
    mark_ = '\0';
    if (room_ == 0)
        note(false);
    if (has_failed_) [[unlikely]]
        return false;
    --room_;
    return true;
}

bool text_sink::begin_array()
{
    if (!enter())
        return false;
    out_.push_back('[');
    return true;
}

void text_sink::end_array()
{
    ++room_;
    out_.push_back(']');
    mark_ = ',';
}

// The bracket is written with the first name.
bool text_sink::begin_object(std::size_t)
{
    if (!enter())
        return false;
    mark_ = '{';
    return true;
}

void text_sink::name(std::string_view name, bool is_plain)
{
    const std::size_t size = name.size();
    if (!is_plain || size >= 16) [[unlikely]]
        return write_any_name(name);
    char* const to = out_.prepare(size + 4);
    to[0] = std::exchange(mark_, '\0');
    to[1] = '"';
    copy_few(to + 2, name.data(), static_cast<unsigned>(size));
    to[2 + size] = '"';
    to[3 + size] = ':';
    out_.commit(size + 4);
}

void text_sink::write_any_name(std::string_view name)
{
    note(append_name(out_, std::exchange(mark_, '\0'), name));
}

void text_sink::end_object()
{
    ++room_;
    if (mark_ == '{')
        out_.push_back('{');
    out_.push_back('}');
    mark_ = ',';
}

} // namespace partyline::detail
