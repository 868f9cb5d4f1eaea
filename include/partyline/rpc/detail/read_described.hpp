#pragma once

#include <partyline/rpc/detail/argument_reader.hpp>

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace partyline::detail {

/// Refuses members of `object` that are none of `names`.
void check_member_names(const boost::json::object& object, const parameter_place& place,
                        std::span<const std::string_view> names);

/// A described enumerator's name and its place in the list.
struct enumerator_names {
    std::span<const std::string_view> names;

    std::string expected() const;
    /// The index of the name that `value` is.
    std::size_t read(const boost::json::value& value, const parameter_place& place) const;
};

template <class T>
concept described_struct =
    std::is_class_v<T> && boost::describe::has_describe_members<T>::value && !has_own_conversion<T>;

template <class T>
concept described_enum =
    std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value && !has_own_conversion<T>;

template <described_struct T>
using member_list = boost::mp11::mp_rename<
    boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>,
    boost::mp11::mp_list>;

template <class T, class Member>
using member_type = std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>;

/// The members' names in their order.
template <class... Member>
constexpr auto list_names(boost::mp11::mp_list<Member...>)
{
    return std::array<std::string_view, sizeof...(Member)>{std::string_view(Member::name)...};
}

template <described_struct T>
inline constexpr auto member_names = list_names(member_list<T>());

template <described_struct T>
struct argument_reader<T> {
    static std::string expected() { return "object"; }
    static T read(const boost::json::value& value, const parameter_place& place)
    {
        const boost::json::object& object = read_object(value, place);
        if (!place.allows_unknown())
            check_member_names(object, place, member_names<T>);
        T result{};
        boost::mp11::mp_for_each<member_list<T>>([&](auto member) {
            using reader = decltype(member);
            const parameter_place at(place, reader::name);
            result.*reader::pointer = read_member<member_type<T, reader>>(object.if_contains(reader::name), at);
        });
        return result;
    }
};

template <described_enum T>
struct argument_reader<T> {
    static std::string expected() { return enumerator_names{names}.expected(); }
    static T read(const boost::json::value& value, const parameter_place& place)
    {
        return values[enumerator_names{names}.read(value, place)];
    }

private:
    template <class... Enumerator>
    static constexpr auto list_values(boost::mp11::mp_list<Enumerator...>)
    {
        return std::array<T, sizeof...(Enumerator)>{Enumerator::value...};
    }

    using enumerators = boost::mp11::mp_rename<boost::describe::describe_enumerators<T>, boost::mp11::mp_list>;
    static constexpr auto names = list_names(enumerators());
    static constexpr auto values = list_values(enumerators());
};

} // namespace partyline::detail
