#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace partyline::detail {

/// "integer or string", each of them once.
PARTYLINE_EXPORT std::string joined_by_or(const std::vector<std::string>& words);

/// The first alternative that fits, in their order: `std::variant<std::int64_t, double>` is an integer where it can be.
template <class First, class... Rest>
struct argument_reader<std::variant<First, Rest...>> {
    static std::string expected()
    {
        return joined_by_or({argument_reader<First>::expected(), argument_reader<Rest>::expected()...});
    }

    static std::variant<First, Rest...> read(const boost::json::value& value, const parameter_place& place)
    {
        return read_from<0>(value, place.tried());
    }

    // Which alternative it is only a value shows.
    static bool read_text(text_cursor& from, std::variant<First, Rest...>& into)
    {
        into = read(from.read_value(), from.place());
        return true;
    }

private:
    template <std::size_t I>
    static std::variant<First, Rest...> read_from(const boost::json::value& value, const parameter_place& place)
    {
        using type = std::variant<First, Rest...>;
        if constexpr (I == sizeof...(Rest) + 1)
            throw_wrong_kind(place, expected(), value);
        else {
            using reader = argument_reader<std::variant_alternative_t<I, type>>;
            if constexpr (requires { reader::fits(value); }) {
                if (reader::fits(value))
                    return type(std::in_place_index<I>, reader::read(value, place));
            } else if (could_be<reader>(value)) {
                try {
                    return type(std::in_place_index<I>, reader::read(value, place));
                } catch (const rpc_error&) { // the next one may fit
                    if (!place.note_failed_attempt())
                        throw_invalid_params(place, expected(),
                                             "nothing that was tried: too many alternatives have failed");
                }
            }
            return read_from<I + 1>(value, place);
        }
    }
};

} // namespace partyline::detail
