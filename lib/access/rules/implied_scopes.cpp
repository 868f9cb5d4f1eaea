#include "access/rules/implied_scopes.hpp"

#include <algorithm>
#include <set>

namespace partyline::access {

std::vector<std::string> with_implied(std::vector<std::string> scopes,
                                      const std::map<std::string, std::vector<std::string>>& implies)
{
    std::sort(scopes.begin(), scopes.end());
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    if (implies.empty())
        return scopes;
    std::set<std::string> all(scopes.begin(), scopes.end());
    while (!scopes.empty()) { // those whose own are still to be looked at
        const auto found = implies.find(scopes.back());
        scopes.pop_back();
        if (found == implies.end())
            continue;
        for (const std::string& one : found->second)
            if (all.insert(one).second)
                scopes.push_back(one);
    }
    return {all.begin(), all.end()};
}

} // namespace partyline::access
