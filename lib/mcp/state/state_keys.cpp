#include <partyline/mcp/server/state_keys.hpp>

#include "mcp/state/hmac.hpp"
#include "protocol/json/base64.hpp"

#include <algorithm>
#include <optional>
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

state_keys state_keys::from_text(std::string_view lines)
{
    std::vector<std::string> secrets;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        std::optional<std::string> secret = decode_base64(line);
        if (!secret || secret->size() < least_bytes)
            throw std::invalid_argument("line " + std::to_string(number) +
                                        (secret ? " has " + std::to_string(secret->size()) + " bytes as base64"
                                                : std::string(" is not base64")) +
                                        ", and is to have 32 at least: openssl rand -base64 32");
        secrets.push_back(std::move(*secret));
    }
    if (secrets.empty())
        throw std::invalid_argument("it is empty, and is to have a key on each line: openssl rand -base64 32");
    return state_keys(std::move(secrets));
}

state_keys state_keys::random()
{
    return state_keys({random_bytes(least_bytes)});
}

} // namespace partyline::mcp
