#include <partyline/mcp/server/state_keys.hpp>

#include "mcp/state/hmac.hpp"

#include <stdexcept>
#include <utility>

namespace partyline::mcp {

state_keys::state_keys(std::vector<std::string> secrets) : secrets_(std::move(secrets))
{
    if (secrets_.empty())
        throw std::invalid_argument("State keys need one secret at least.");
    for (std::size_t i = 0; i != secrets_.size(); ++i)
        if (secrets_[i].size() < least_bytes)
            throw std::invalid_argument("Secret " + std::to_string(i + 1) + " of the state keys has " +
                                        std::to_string(secrets_[i].size()) + " bytes, and needs 32 at least.");
}

state_keys state_keys::random()
{
    return state_keys({random_bytes(least_bytes)});
}

} // namespace partyline::mcp
