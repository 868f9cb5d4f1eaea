#include "http/serve/error_fields.hpp"

#include "http/access/authorization.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::http {
namespace {

// A reply of another server may be as long as it likes.
constexpr std::size_t longest_read = std::size_t(64) << 10;

// Null where there is none.
json::value member_of_data(std::string_view reply, std::string_view name)
{
    if (reply.size() > longest_read)
        return {};
    const std::string text(reply);
    message_reader reader{limits()};
    const message& m = reader.read(text);
    if (m.type != message_type::reply || !m.is_error || !m.outcome.text().starts_with('{'))
        return {};
    const json_view data = reader.find_member(m.outcome, "data");
    if (!data.text().starts_with('{'))
        return {};
    auto found = reader.find_member(data, name).try_to_value();
    return found ? std::move(*found) : json::value();
}

std::vector<std::string> required_scopes(std::string_view reply)
{
    const json::value found = member_of_data(reply, "required");
    std::vector<std::string> scopes;
    if (const json::array* const list = found.if_array()) {
        for (const json::value& one : *list)
            scopes.emplace_back(one.is_string() ? std::string_view(one.get_string()) : std::string_view());
    }
    return scopes;
}

std::int64_t seconds_to_wait(std::string_view reply)
{
    const json::value found = member_of_data(reply, "retry_after_ms");
    const std::int64_t* const told = found.if_int64();
    return told && *told > 0 ? (*told - 1) / 1000 + 1 : 1;
}

} // namespace

std::string error_fields(int status, std::string_view reply, const access_control* access)
{
    switch (status) {
    case 403: {
        const std::shared_ptr<const protected_resource> of = access ? access->resource() : nullptr;
        return insufficient_scope_fields(required_scopes(reply), of.get());
    }
    case 429: return "Retry-After: " + std::to_string(seconds_to_wait(reply)) + "\r\n";
    case 503: return "Retry-After: 1\r\n";
    default: return {};
    }
}

} // namespace partyline::http
