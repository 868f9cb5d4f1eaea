#include <partyline/rpc/detail/parameter_place.hpp>

#include "protocol/json/utf8.hpp"

#include <partyline/rpc/detail/problem_list.hpp>

#include <utility>

namespace partyline::detail {
namespace {

namespace json = boost::json;

constexpr std::size_t max_shown_bytes = 64;
constexpr std::size_t max_names_bytes = 512;

// What a peer sent is repeated to it, but not megabytes of it.
std::string shortened(std::string_view text)
{
    return utf8::shortened(text, max_shown_bytes);
}

std::string_view kind_name(json::kind kind) noexcept
{
    switch (kind) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::int64: return "integer";
    case json::kind::uint64: return "integer";
    case json::kind::double_: return "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    }
    return "";
}

} // namespace

json::value parameter_place::to_json() const
{
    if (is_whole())
        return nullptr;
    if (outer_->is_whole() && !is_name())
        return index_;
    std::string path;
    append_to(path);
    return json::value(path);
}

void parameter_place::append_to(std::string& path) const
{
    if (is_whole())
        return;
    outer_->append_to(path);
    if (!is_name())
        path.append("[").append(std::to_string(index_)).append("]");
    else
        path.append(path.empty() ? "" : ".").append(shortened(name_));
}

bool refuse(const parameter_place& place, std::string_view expected, std::string_view got)
{
    if (problem_list* const problems = place.problems())
        problems->add(place, expected, shortened(got));
    return false;
}

bool refuse_kind(const parameter_place& place, std::string_view expected, const json::value& value)
{
    return refuse(place, expected, kind_name(value.kind()));
}

bool refuse_kind(const parameter_place& place, std::string (*expected)(), const json::value& value)
{
    return place.problems() && refuse_kind(place, expected(), value);
}

bool refuse_missing(const parameter_place& place, std::string (*expected)())
{
    return place.problems() && refuse(place, expected(), "nothing");
}

bool refuse_unknown_name(const parameter_place& outer, std::string_view name, std::string_view names)
{
    const std::string shown = shortened(name);
    const parameter_place place(outer, shown);
    return refuse(place, names.empty() ? "no parameters" : "one of " + utf8::shortened(names, max_names_bytes), shown);
}

} // namespace partyline::detail
