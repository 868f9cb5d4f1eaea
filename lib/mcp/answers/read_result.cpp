#include "mcp/answers/read_result.hpp"

#include "mcp/answers/failed_call.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/json/object.hpp>

#include <string>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

// "a string", where reading says "string". Other words stand for themselves.
std::string with_article(std::string_view kind)
{
    if (kind == "integer" || kind == "number")
        return "a number";
    if (kind == "boolean" || kind == "string")
        return "a " + std::string(kind);
    if (kind == "array" || kind == "object")
        return "an " + std::string(kind);
    return std::string(kind);
}

std::string text_in(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

} // namespace

void refuse_result(std::string_view method, std::string_view place, std::string_view expected, std::string_view got)
{
    std::string text(method);
    text.append(place.empty() ? ": at the result" : ": at the result.").append(place);
    text.append(": expected ").append(with_article(expected)).append(", got ").append(printable(with_article(got)));
    throw failed_call(client_errc::bad_result, std::move(text));
}

void refuse_result(std::string_view method, const error_object& problem, std::string_view place)
{
    const json::object* const data = problem.data ? problem.data->if_object() : nullptr;
    if (!data)
        throw failed_call(client_errc::bad_result, std::string(method) + ": " + problem.message);
    const std::string within = text_in(*data, "parameter");
    std::string at(place);
    at.append(at.empty() || within.empty() ? "" : ".").append(within);
    refuse_result(method, at, text_in(*data, "expected"), text_in(*data, "got"));
}

} // namespace partyline::mcp
