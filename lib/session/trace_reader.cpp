#include "session/trace_reader.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace partyline {
namespace {

constexpr std::size_t max_text = 1024; // of either; more is none

std::string string_member(message_reader& reader, json_view object, std::string_view name)
{
    const json_view found = reader.find_member(object, name);
    if (!found.text().starts_with('"') || found.text().size() > max_text)
        return {};
    const auto value = found.try_to_value(); // fails for a lone surrogate
    return value ? std::string(value->get_string()) : std::string();
}

} // namespace

// Only \u can spell the characters of the name in another way.
bool may_have_trace(json_view params) noexcept
{
    const std::string_view text = params.text();
    return text.find(traceparent_name) != text.npos || text.find("\\u") != text.npos;
}

std::optional<trace_context> read_trace(json_view metadata, message_reader& reader)
{
    if (!metadata.text().starts_with('{'))
        return std::nullopt;
    return trace_context::parse(string_member(reader, metadata, traceparent_name),
                                string_member(reader, metadata, tracestate_name));
}

} // namespace partyline
