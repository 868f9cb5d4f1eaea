#include <partyline/rpc/detail/read_result.hpp>

#include "rpc/problem_list.hpp"
#include "rpc/text_source.hpp"
#include "rpc/value_source.hpp"

#include <boost/json/serialize.hpp>

#include <exception>

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

bool read_tolerantly(void* into, read_function read, const json::value& from, error_object& problem)
{
    problem_list problems(1);
    const reading how(unknown_members::ignored, &problems);
    value_source source(&from, how);
    problems.attempt([&] { read(into, source); });
    if (problems.empty())
        return true;
    problem = problems.take();
    return false;
}

bool read_tolerantly(void* into, read_function read, json_view from) noexcept
{
    try {
        const reading how(unknown_members::ignored);
        text_source source(from, how);
        return read(into, source);
    } catch (...) { // it is read again, from a value
        return false;
    }
}

bool read_tolerantly(void* into, read_function read, json_view from, std::string& problem)
{
    try {
        error_object mismatch;
        const auto value = from.try_to_value();
        if (value && read_tolerantly(into, read, *value, mismatch))
            return true;
        problem = describe_mismatch(value ? mismatch : value.error());
    } catch (const rpc_error& mismatch) {
        problem = describe_mismatch(mismatch.error());
    } catch (const std::exception& failed) { // of a conversion of the type's own
        problem = failed.what();
    }
    return false;
}

} // namespace partyline::detail
