#include "reply_text.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/protocol/writer.hpp>

#include <limits>

namespace call {
namespace {

constexpr auto any_depth = std::numeric_limits<std::size_t>::max(); // it came within the session's limit

} // namespace

std::string result_line(std::string_view label, const partyline::json_text& result)
{
    partyline::byte_buffer out;
    write_reply_head(out, label);
    write_text(out, result, any_depth);
    partyline::write_tail(out);
    return std::string(out.view());
}

std::string error_line(std::string_view label, const partyline::error_object& error)
{
    partyline::byte_buffer out;
    partyline::write_error(out, label, error, any_depth);
    return std::string(out.view());
}

std::string terminal_text(std::string json)
{
    for (char& c : json) // what may break a line stands between values only
        c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    return partyline::printable(json);
}

std::string error_words(const partyline::error_object& error)
{
    std::string words = "error " + std::to_string(error.code) + ": " + error.message;
    if (error.data) {
        partyline::byte_buffer data;
        write_value(data, *error.data, any_depth);
        words.append(": ").append(data.view());
    }
    return partyline::printable(words);
}

} // namespace call
