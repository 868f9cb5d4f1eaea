#include <partyline/rpc/detail/read_result.hpp>

#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::detail {
namespace {

std::string words(const json::value& value)
{
    const json::string* const text = value.if_string();
    return text ? std::string(*text) : json::serialize(value);
}

} // namespace

std::string describe_mismatch(const error_object& error)
{
    const json::object* const data = error.data ? error.data->if_object() : nullptr;
    if (!data || !data->contains("expected") || !data->contains("got"))
        return error.message;
    std::string place;
    if (const json::value* const where = data->if_contains("parameter"))
        place = "at " + words(*where) + ": ";
    return place + "expected " + words(data->at("expected")) + ", got " + words(data->at("got"));
}

} // namespace partyline::detail
