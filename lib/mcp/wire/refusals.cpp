#include "mcp/wire/refusals.hpp"

#include <boost/json/object.hpp>

namespace json = boost::json;

namespace partyline::mcp {

error_object invalid_params(std::string_view parameter, std::string_view expected)
{
    return {partyline::error_codes::invalid_params, "Invalid params",
            json::object{{"parameter", json::string(parameter)}, {"expected", json::string(expected)}}};
}

} // namespace partyline::mcp
