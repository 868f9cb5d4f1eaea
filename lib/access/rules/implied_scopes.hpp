#pragma once

#include <map>
#include <string>
#include <vector>

namespace partyline::access {

/// Returns the scopes with all that they imply, and what that implies; sorted, each once. Scopes may imply each other.
std::vector<std::string> with_implied(std::vector<std::string> scopes,
                                      const std::map<std::string, std::vector<std::string>>& implies);

} // namespace partyline::access
