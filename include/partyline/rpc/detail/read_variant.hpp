#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace partyline::detail {

/// "integer or string", each of them once.
PARTYLINE_EXPORT std::string joined_by_or(const std::vector<std::string>& words);

/// Reads as one alternative of a variant, into an empty optional of that variant; null: whether it could.
using alternative_reader = bool (*)(const boost::json::value& value, const parameter_place& place, void* into);

/// Reads as the first alternative that fits. Whatever stands within a variant is decided about once for each variant
/// that it may be: else those that contain each other would take exponential time.
PARTYLINE_EXPORT bool read_alternative(array_view<const alternative_reader> readers, const boost::json::value& value,
                                       const parameter_place& place, std::string (*expected)(), void* into);

/// The first alternative that fits, in their order: `std::variant<std::int64_t, double>` is an integer where it can be.
template <class First, class... Rest>
struct argument_reader<std::variant<First, Rest...>> {
    using type = std::variant<First, Rest...>;

    static std::string expected()
    {
        return joined_by_or({argument_reader<First>::expected(), argument_reader<Rest>::expected()...});
    }

    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<type>* into)
    {
        return read_alternative(list_readers(std::index_sequence_for<First, Rest...>()), value, place, &expected, into);
    }

    // Which alternative it is only a value shows.
    static bool read_text(text_cursor& from, type& into)
    {
        boost::json::value value;
        std::optional<type> given;
        if (!from.read_value(value) || !read(value, from.place(), &given))
            return false;
        into = std::move(*given);
        return true;
    }

private:
    template <std::size_t... I>
    static array_view<const alternative_reader> list_readers(std::index_sequence<I...>) noexcept
    {
        static constexpr std::array<alternative_reader, sizeof...(I)> readers{&read_as<I>...};
        return readers;
    }

    template <std::size_t I>
    static bool read_as(const boost::json::value& value, const parameter_place& place, void* into)
    {
        std::optional<std::variant_alternative_t<I, type>> given;
        if (!argument_reader<std::variant_alternative_t<I, type>>::read(value, place, into ? &given : nullptr))
            return false;
        if (into)
            static_cast<std::optional<type>*>(into)->emplace(std::in_place_index<I>, std::move(*given));
        return true;
    }
};

} // namespace partyline::detail
