#include <partyline/rpc/detail/read_variant.hpp>

#include "rpc/known_alternatives.hpp"

#include <partyline/protocol/error.hpp>

#include <algorithm>

namespace json = boost::json;

namespace partyline::detail {
namespace {

// How many readers there are where none can read it. (What a conversion of a user's own throws means that it can't.)
std::size_t find_alternative(array_view<const alternative_reader> readers, const json::value& value,
                             const parameter_place& place)
{
    const auto can_read = [&](alternative_reader read) {
        try {
            return read(value, place, nullptr);
        } catch (const rpc_error&) {
            return false;
        }
    };
    const auto found = std::find_if(readers.begin(), readers.end(), can_read);
    return static_cast<std::size_t>(found - readers.begin());
}

// The same, once for each place.
std::size_t decide(array_view<const alternative_reader> readers, const json::value& value, const parameter_place& place)
{
    known_alternatives& known = *place.alternatives();
    const auto* const variant = static_cast<const void*>(readers.begin());
    if (const std::size_t* const index = known.find(value, variant))
        return *index;
    const std::size_t index = find_alternative(readers, value, place);
    known.add(value, variant, index);
    return index;
}

} // namespace

std::string joined_by_or(const std::vector<std::string>& words)
{
    std::string all;
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (std::find(words.begin(), word, *word) == word)
            all.append(all.empty() ? "" : " or ").append(*word);
    }
    return all;
}

bool read_alternative(array_view<const alternative_reader> readers, const json::value& value,
                      const parameter_place& place, std::string (*expected)(), void* into)
{
    known_alternatives known; // of what this one is made of, where it is within no other
    const bool is_outermost = !place.alternatives();
    const parameter_place within = is_outermost ? place.within_variant(known) : place;
    const std::size_t index = is_outermost ? find_alternative(readers, value, within) : decide(readers, value, within);
    if (index == readers.size())
        return refuse_kind(place, expected, value);
    return !into || readers[index](value, within, into);
}

} // namespace partyline::detail
