#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace partyline::fleet {

/// How many calls, or sessions, each client has open, so that none takes the room of all others. Costs log n of the
/// clients.
class open_by_client {
public:
    /// A client without a name has none, whatever it has open.
    std::size_t count(const std::string& client) const
    {
        const auto found = counts_.find(client);
        return found == counts_.end() ? 0 : found->second;
    }
    void add(const std::string& client)
    {
        if (!client.empty())
            ++counts_[client];
    }
    void remove(const std::string& client)
    {
        const auto found = counts_.find(client);
        if (found != counts_.end() && --found->second == 0)
            counts_.erase(found);
    }

private:
    std::map<std::string, std::size_t> counts_;
};

} // namespace partyline::fleet
