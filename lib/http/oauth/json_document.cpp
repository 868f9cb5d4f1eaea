#include "http/oauth/json_document.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include <charconv>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

std::optional<std::int64_t> integer_of(std::string_view text)
{
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, failed] = std::from_chars(text.data(), end, value);
    if (failed != std::errc() || stopped != end)
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> integer_of(double value)
{
    constexpr double largest = 9e15;
    if (!(value > -largest && value < largest))
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

} // namespace

std::optional<json_document> json_document::read(std::string text)
{
    try {
        json::value read = json_text(std::move(text)).to_value();
        if (json::object* const members = read.if_object())
            return json_document(std::move(*members));
    } catch (const std::invalid_argument&) { // no JSON
    } catch (const rpc_error&) {             // no JSON that has a value
    }
    return std::nullopt;
}

std::string json_document::text(std::string_view name) const
{
    const json::value* const found = members_.if_contains(name);
    const json::string* const value = found ? found->if_string() : nullptr;
    return value ? std::string(*value) : std::string();
}

std::optional<std::vector<std::string>> json_document::texts(std::string_view name) const
{
    const json::value* const found = members_.if_contains(name);
    const json::array* const values = found ? found->if_array() : nullptr;
    if (!values)
        return std::nullopt;
    std::vector<std::string> all;
    for (const json::value& one : *values) {
        if (const json::string* const value = one.if_string())
            all.emplace_back(*value);
    }
    return all;
}

bool json_document::is_true(std::string_view name) const
{
    const json::value* const found = members_.if_contains(name);
    const bool* const value = found ? found->if_bool() : nullptr;
    return value && *value;
}

std::optional<std::int64_t> json_document::seconds(std::string_view name) const
{
    const json::value* const found = members_.if_contains(name);
    if (!found)
        return std::nullopt;
    if (const std::int64_t* const value = found->if_int64())
        return *value;
    if (const double* const value = found->if_double())
        return integer_of(*value);
    if (const json::string* const value = found->if_string())
        return integer_of(std::string_view(*value));
    return std::nullopt;
}

} // namespace partyline::http
