#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/check_notes.hpp>
#include <partyline/rpc/detail/member_rules.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace partyline::detail {

/// A member of a described struct, as reading it needs it.
struct member_row {
    wire_text name;
    bool is_required;
    /// Reads it into the struct, see `argument_reader`; `given` is null when it is absent.
    bool (*read)(void* into, const boost::json::value* given, const parameter_place& at);
    /// Reads one that is there, from text.
    bool (*read_text)(void* into, text_cursor& from);
};

/// A described struct, as reading it needs it.
struct member_table {
    array_view<const member_row> rows;
    std::optional<unknown_members> unknown; // what its notes say of those that there are no rows for
};

/// Reads members into a struct; null: it is only asked whether they could be read. Where problems are noted, all
/// members are looked at, and it is no failure that some have one.
PARTYLINE_EXPORT bool read_members(void* into, const member_table& table, const boost::json::value& value,
                                   const parameter_place& place);
/// The same from text.
PARTYLINE_EXPORT bool read_members(void* into, const member_table& table, text_cursor& from);

/// The names of a described enum's enumerators.
struct PARTYLINE_EXPORT enumerator_names {
    array_view<const std::string_view> names;

    std::string expected() const;
    /// The index of the name that `value` is; none where it is something else.
    std::optional<std::size_t> read(const boost::json::value& value, const parameter_place& place) const;
    bool read_text(text_cursor& from, std::size_t& index) const;
};

/// The same of one whose enumerators are numbers in JSON.
struct PARTYLINE_EXPORT enumerator_numbers {
    array_view<const std::int64_t> numbers;

    std::string expected() const;
    std::optional<std::size_t> read(const boost::json::value& value, const parameter_place& place) const;
    bool read_text(text_cursor& from, std::size_t& index) const noexcept;
};

template <class T>
concept described_struct =
    std::is_class_v<T> && boost::describe::has_describe_members<T>::value && !has_own_conversion<T>;

template <class T>
concept described_enum =
    std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value && !has_own_conversion<T>;

template <class T>
using member_list = boost::mp11::mp_rename<
    boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
    boost::mp11::mp_list>;
template <class E>
using enumerator_list = boost::mp11::mp_rename<boost::describe::describe_enumerators<E>, boost::mp11::mp_list>;

template <class T, class Member>
using member_type = std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>;

template <class T, class Member>
bool read_member_into(void* into, const boost::json::value* given, const parameter_place& at)
{
    if (is_defaulted_member<T, Member>() && (!given || given->is_null()))
        return true;
    std::optional<member_type<T, Member>> member;
    const bool is_wanted = into || has_checks<T, Member>();
    if (!read_member(given, at, is_wanted ? &member : nullptr))
        return false;
    if (is_wanted && !check_member<T, Member>(at, *member))
        return false;
    if (into)
        static_cast<T*>(into)->*Member::pointer = std::move(*member);
    return true;
}

template <class T, class Member>
bool read_member_text(void* into, text_cursor& from)
{
    using type = member_type<T, Member>;
    if constexpr (has_text_reader<type>::value) {
        if (is_defaulted_member<T, Member>() && from.read_null())
            return true;
        type& member = static_cast<T*>(into)->*Member::pointer;
        if constexpr (std::is_class_v<type> && !std::is_same_v<type, std::string>)
            member = type(); // and not what its initialiser gives it
        return argument_reader<type>::read_text(from, member) && check_member<T, Member>(from.place(), member);
    } else
        return false;
}

template <class T, class... Member>
constexpr auto list_rows(boost::mp11::mp_list<Member...>)
{
    return std::array<member_row, sizeof...(Member)>{member_row{
        wire_text_of_member<T, Member>(), !is_optional<member_type<T, Member>> && !is_defaulted_member<T, Member>(),
        &read_member_into<T, Member>, &read_member_text<T, Member>}...};
}

template <described_struct T>
inline constexpr auto member_rows = list_rows<T>(member_list<T>());

template <described_struct T>
struct argument_reader<T> {
    static std::string expected() { return "object"; }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        if constexpr (is_sound<T>::value) {
            T* const result = into ? &into->emplace(T{}) : nullptr;
            return read_members(result, {member_rows<T>, rule_of<unknown_members, T>()}, value, place);
        } else
            return false;
    }
    static bool read_text(text_cursor& from, T& into)
    {
        if constexpr (is_sound<T>::value)
            return read_members(&into, {member_rows<T>, rule_of<unknown_members, T>()}, from);
        else
            return false;
    }
};

template <described_enum T>
struct argument_reader<T> {
    static std::string expected()
    {
        if constexpr (are_numbers<T>)
            return enumerator_numbers{numbers}.expected();
        else
            return enumerator_names{names}.expected();
    }
    static bool read(const boost::json::value& value, const parameter_place& place, std::optional<T>* into)
    {
        std::optional<std::size_t> index;
        if constexpr (are_numbers<T>)
            index = enumerator_numbers{numbers}.read(value, place);
        else
            index = enumerator_names{names}.read(value, place);
        return index && put(into, values[*index]);
    }
    static bool read_text(text_cursor& from, T& into)
    {
        std::size_t index = 0;
        bool is_read = false;
        if constexpr (are_numbers<T>)
            is_read = enumerator_numbers{numbers}.read_text(from, index);
        else
            is_read = enumerator_names{names}.read_text(from, index);
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
