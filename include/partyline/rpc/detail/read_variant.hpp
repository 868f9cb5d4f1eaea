#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/argument_reader.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace partyline::detail {

/// "integer or string", each of them once.
PARTYLINE_EXPORT std::string joined_by_or(const std::vector<std::string>& words);

/// Reads the first alternative that fits, in their order: `std::variant<std::int64_t, double>` is an integer where it
/// can be.
template <class T>
struct argument_reader<T, shape::variant> {
    using indices = std::make_index_sequence<std::variant_size_v<T>>;

    static std::string expected() { return join_expected(indices()); }
    static bool read(json_source& from, read_slot<T>& into)
    {
        return from.read_alternative(&into, {list_readers(indices()), &expected});
    }

private:
    template <std::size_t... I>
    static std::string join_expected(std::index_sequence<I...>)
    {
        return joined_by_or({argument_reader<std::variant_alternative_t<I, T>>::expected()...});
    }

    template <std::size_t... I>
    static array_view<bool (*const)(json_source&, void*)> list_readers(std::index_sequence<I...>) noexcept
    {
        static constexpr std::array<bool (*)(json_source&, void*), sizeof...(I)> readers{&read_as<I>...};
        return readers;
    }

    template <std::size_t I>
    static bool read_as(json_source& from, void* into)
    {
        using alternative = std::variant_alternative_t<I, T>;
        read_slot<alternative> given = read_slot<alternative>();
        if (!argument_reader<alternative>::read(from, given))
            return false;
        if (into)
            put(*static_cast<read_slot<T>*>(into), T(std::in_place_index<I>, take<alternative>(given)));
        return true;
    }
};

} // namespace partyline::detail
