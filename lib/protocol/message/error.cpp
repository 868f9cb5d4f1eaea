#include <partyline/protocol/error.hpp>

#include <utility>

namespace partyline {

rpc_error::rpc_error() : error_{error_codes::internal_error, "Internal error", std::nullopt} {}

rpc_error::rpc_error(int code, std::string message, std::optional<boost::json::value> data)
    : error_{code, std::move(message), std::move(data)}
{
}

rpc_error::rpc_error(error_object error) : error_(std::move(error)) {}

} // namespace partyline
