#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/check_notes.hpp>
#include <partyline/rpc/detail/member_rules.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <boost/mp11/list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace partyline::detail {

/// "one of red, green"
PARTYLINE_EXPORT std::string one_of(array_view<const std::string_view> names);
PARTYLINE_EXPORT std::string one_of(array_view<const std::int64_t> numbers);

/// Reads the name of a described enum's enumerator, or its number where those are numbers in JSON: its index.
PARTYLINE_EXPORT bool read_enumerator(json_source& from, array_view<const std::string_view> names,
                                      expected_words expected, std::size_t& index);
PARTYLINE_EXPORT bool read_enumerator(json_source& from, array_view<const std::int64_t> numbers,
                                      expected_words expected, std::size_t& index);

/// Reads a member into its struct.
template <class T, class Member>
bool read_member(void* into, json_source& from)
{
    using type = member_type<T, Member>;
    if (is_defaulted_member<T, Member>() && from.read_null())
        return true;
    type& member = static_cast<T*>(into)->*Member::pointer;
    if constexpr (std::is_same_v<read_slot<type>, type>) {
        if constexpr (std::is_class_v<type> && !std::is_same_v<type, std::string>)
            member = type(); // and not what its initialiser gives it
        return argument_reader<type>::read(from, member) && check_member<T, Member>(from, member);
    } else {
        std::optional<type> given;
        if (!argument_reader<type>::read(from, given) || !check_member<T, Member>(from, *given))
            return false;
        member = std::move(*given);
        return true;
    }
}

template <class T, class... Member>
constexpr auto list_rows(boost::mp11::mp_list<Member...>)
{
    return std::array<read_row, sizeof...(Member)>{read_row{
        wire_text_of_member<T, Member>(), !is_optional<member_type<T, Member>> && !is_defaulted_member<T, Member>(),
        &read_member<T, Member>, false, has_checks<T, Member>()}...};
}

template <class T>
inline constexpr auto member_rows = list_rows<T>(member_list<T>());

template <class T>
struct argument_reader<T, shape::structure> {
    static std::string expected() { return "object"; }
    static bool read(json_source& from, read_slot<T>& into)
    {
        if constexpr (is_sound<T>::value)
            return from.read_members(made_in(into), {member_rows<T>, rule_of<unknown_members, T>()});
        else
            return false;
    }

private:
    static T* made_in(T& slot) noexcept { return &slot; }
    static T* made_in(std::type_identity_t<std::optional<T>>& slot) { return &slot.emplace(); }
};

template <class T>
struct argument_reader<T, shape::enumeration> {
    static std::string expected()
    {
        if constexpr (are_numbers<T>)
            return one_of(array_view<const std::int64_t>(numbers));
        else
            return one_of(array_view<const std::string_view>(names));
    }
    static bool read(json_source& from, T& into)
    {
        std::size_t index = 0;
        bool is_read = false;
        if constexpr (are_numbers<T>)
            is_read = read_enumerator(from, array_view<const std::int64_t>(numbers), &expected, index);
        else
            is_read = read_enumerator(from, array_view<const std::string_view>(names), &expected, index);
        if (is_read)
            into = values[index];
        return is_read;
    }

private:
    template <class... Enumerator>
    static constexpr auto list_values(boost::mp11::mp_list<Enumerator...>)
    {
        return std::array<T, sizeof...(Enumerator)>{Enumerator::value...};
    }

    template <class... Enumerator>
    static constexpr auto list_names(boost::mp11::mp_list<Enumerator...>)
    {
        return std::array<std::string_view, sizeof...(Enumerator)>{name_of_enumerator<T, Enumerator>()...};
    }

    static constexpr auto names = list_names(enumerator_list<T>());
    static constexpr auto values = list_values(enumerator_list<T>());
    static constexpr auto numbers = [] {
        std::array<std::int64_t, values.size()> all{};
        for (std::size_t i = 0; i != all.size(); ++i)
            all[i] = static_cast<std::int64_t>(values[i]);
        return all;
    }();
};

} // namespace partyline::detail
