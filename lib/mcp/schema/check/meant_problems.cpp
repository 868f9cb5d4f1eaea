#include "mcp/schema/check/meant_problems.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace partyline::mcp::detail {
namespace {

constexpr std::size_t max_shared_choices = 16;

using candidates = std::vector<const mismatches*>;

// Problems of parts alone: the value itself is of the kind that this alternative is for.
bool is_about_parts(const mismatches& problems, const std::string& whole)
{
    const auto is_part = [&](const mismatch& m) { return m.where.size() > whole.size(); };
    return !problems.empty() && std::all_of(problems.begin(), problems.end(), is_part);
}

const mismatch* find_at(const mismatches& problems, const std::string& where)
{
    const auto found = std::find_if(problems.begin(), problems.end(), [&](const auto& m) { return m.where == where; });
    return found == problems.end() ? nullptr : &*found;
}

// "text or image": what the alternatives expect at the place; empty unless all of them find fault with it.
std::string expected_at(const candidates& all, const std::string& where)
{
    std::vector<std::string> words;
    for (const mismatches* problems : all) {
        const mismatch* const found = find_at(*problems, where);
        if (!found)
            return {};
        if (std::find(words.begin(), words.end(), found->expected) == words.end())
            words.push_back(found->expected);
    }
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : " or ").append(word);
    return text;
}

// Such as the member that tells which alternative is meant.
mismatches shared_problem(const candidates& all)
{
    if (all.size() > max_shared_choices)
        return {};
    for (const mismatch& problem : *all.front()) {
        std::string expected = expected_at(all, problem.where);
        if (!expected.empty())
            return {{problem.where, std::move(expected), problem.got}};
    }
    return {};
}

// Null when two have as few.
const mismatches* find_fewest(const candidates& all)
{
    const auto is_shorter = [](const mismatches* a, const mismatches* b) { return a->size() < b->size(); };
    const mismatches* const fewest = *std::min_element(all.begin(), all.end(), is_shorter);
    const auto is_as_short = [&](const mismatches* other) { return other->size() == fewest->size(); };
    return std::count_if(all.begin(), all.end(), is_as_short) == 1 ? fewest : nullptr;
}

} // namespace

mismatches meant_problems(const std::vector<mismatches>& tries, const std::string& whole)
{
    if (tries.size() == 1)
        return tries.front();
    candidates all;
    for (const mismatches& problems : tries) {
        if (is_about_parts(problems, whole))
            all.push_back(&problems);
    }
    if (all.empty())
        return {};
    if (all.size() == 1)
        return *all.front();
    const mismatches shared = shared_problem(all);
    const mismatches* const fewest = shared.empty() ? find_fewest(all) : nullptr;
    return fewest ? *fewest : shared;
}

} // namespace partyline::mcp::detail
