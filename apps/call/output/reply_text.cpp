#include "reply_text.hpp"

#include "shown_line.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/value.hpp>

#include <limits>

namespace call {
namespace {

constexpr auto any_depth = std::numeric_limits<std::size_t>::max(); // it came within the session's limit

std::string json_string(std::string_view text)
{
    partyline::byte_buffer out;
    partyline::write_string(out, text);
    return std::string(out.view());
}

// As a partyline server has it.
bool tells_only(const boost::json::value& data, std::string_view method)
{
    return data == boost::json::value{{"method", method}};
}

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

std::string error_words(const partyline::error_object& error, std::string_view method)
{
    std::string words = "error " + std::to_string(error.code) + ": " + error.message;
    const bool names_method = error.code == partyline::error_codes::method_not_found;
    if (names_method)
        words.append(": ").append(json_string(method));
    if (error.data && !(names_method && tells_only(*error.data, method))) {
        partyline::byte_buffer data;
        write_value(data, *error.data, any_depth);
        words.append(": ").append(data.view());
    }
    return shown_line(words);
}

} // namespace call
