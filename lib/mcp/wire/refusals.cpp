#include "mcp/wire/refusals.hpp"

#include <partyline/mcp/error_codes.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <string>

namespace json = boost::json;

namespace partyline::mcp {

error_object invalid_params(std::string_view parameter, std::string_view expected)
{
    return {partyline::error_codes::invalid_params, "Invalid params",
            json::object{{"parameter", json::string(parameter)}, {"expected", json::string(expected)}}};
}

error_object missing_capability_error(const missing_capability& missing, revision r)
{
    if (era_of(r) == era::modern)
        return {error_codes::missing_client_capability, "Missing required client capability",
                json::object{{"requiredCapabilities", missing.required()}}};
    return {partyline::error_codes::invalid_params,
            "The client lacks the capability " + json::serialize(missing.required()),
            {}};
}

} // namespace partyline::mcp
