#include <partyline/rpc/detail/read_variant.hpp>

#include <algorithm>

namespace partyline::detail {

std::string joined_by_or(const std::vector<std::string>& words)
{
    std::string all;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (std::find(words.begin(), word, *word) == word)
            all.append(all.empty() ? "" : " or ").append(*word);
    }
    return all;
}

} // namespace partyline::detail
