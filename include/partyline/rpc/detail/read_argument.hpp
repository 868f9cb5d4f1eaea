#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/argument_source.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/parts_of.hpp>
#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>
#include <partyline/rpc/detail/read_variant.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>
#include <partyline/rpc/whole_params.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline::detail {

template <class T>
inline constexpr bool is_raw = std::is_same_v<T, json_text> || std::is_same_v<T, json_view>;

template <class T>
inline constexpr bool is_optional_raw = false;
template <class T>
inline constexpr bool is_optional_raw<std::optional<T>> = is_raw<T>;

template <class T>
inline constexpr bool is_whole_params = false;
template <class T>
inline constexpr bool is_whole_params<whole_params<T>> = true;

/// A type that stands for the params as a whole when it is the only argument and has no declared name.
template <class T>
inline constexpr bool takes_whole =
    is_raw<T> || is_whole_params<T> || described_struct<T> || std::is_same_v<T, boost::json::value> ||
    std::is_same_v<T, boost::json::object> || std::is_same_v<T, boost::json::array>;

/// Plain words for what an argument is, for one that is missing.
template <class T>
std::string expected_argument()
{
    if constexpr (is_raw<T>)
        return "any value";
    else if constexpr (std::is_convertible_v<T, boost::json::string_view>)
        return "string";
    else
        return argument_reader<T>::expected();
}

/// Reads an argument that is there.
template <class T>
T read_given(argument_source& source, std::size_t index)
{
    if constexpr (is_raw<T>)
        return T(source.text(index));
    else if constexpr (std::is_same_v<T, boost::json::value>)
        return source.kept_value(index); // the handler may keep it, so not out of the arena
    else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>)
        return T(source.string(index));
    else
        return argument_reader<T>::read(source.value(index), source.place(index));
}

/// Reads one argument of a handler; refuses one that is missing unless it is optional.
template <class T>
struct argument {
    static constexpr bool is_required = true;

    static T read(argument_source& source, std::size_t index)
    {
        if (source.is_absent(index))
            throw_missing(source.place(index), expected_argument<T>());
        return read_given<T>(source, index);
    }
};

template <class T>
struct argument<std::optional<T>> {
    static constexpr bool is_required = false;

    static std::optional<T> read(argument_source& source, std::size_t index)
    {
        if (source.is_absent(index) || source.is_null(index))
            return std::nullopt;
        return read_given<T>(source, index);
    }
};

/// How many arguments must be given when they are given by position: those up to the last one that is required.
constexpr std::size_t required_count(std::initializer_list<bool> are_required) noexcept
{
    std::size_t at = 0;
    std::size_t required = 0;
    for (const bool is_required : are_required) {
        ++at;
        if (is_required)
            required = at;
    }
    return required;
}

/// Whether arguments of this type can be read straight from text.
template <class T>
inline constexpr bool reads_text = is_throughout<has_text_reader, T>() && std::is_default_constructible_v<T>;
template <class T>
    requires is_raw<T> || std::is_same_v<T, std::string_view>
inline constexpr bool reads_text<T> = true;
template <class T>
inline constexpr bool reads_text<std::optional<T>> = reads_text<T>;

/// Reads an argument that is there from text, into what `T()` is.
template <class T>
bool read_argument_text(text_cursor& from, T& into)
{
    if constexpr (is_raw<T>) {
        into = T(from.skip());
        return true;
    } else if constexpr (std::is_same_v<T, std::string_view>)
        return from.read_plain_string(into);
    else if constexpr (is_optional<T>)
        return from.read_null() || read_argument_text(from, into.emplace());
    else
        return argument_reader<T>::read_text(from, into);
}

/// An argument, as reading it from text needs it.
struct argument_row {
    bool is_required;
    bool (*read_text)(void* into, text_cursor& from);
};

/// Reads the params of a request into a tuple of arguments, or into a struct that stands for all of them. False where it
/// takes an `argument_source` to see what to make of them.
PARTYLINE_EXPORT bool read_params_text(void* into, const request_context& context, json_view params,
                                       const parameter_list& parameters, array_view<const argument_row> rows);
PARTYLINE_EXPORT bool read_params_text(void* into, const request_context& context, json_view params,
                                       const parameter_list& parameters, array_view<const member_row> rows);

/// Reads one of a source's arguments into what all of them are for: null where they are read for their problems alone.
using argument_step = void (*)(void* into, argument_source& source, std::size_t index);

/// Reads all of them and throws one error for all that is wrong: the first was found by reading them before.
[[noreturn]] PARTYLINE_EXPORT void throw_all_problems(void* into, argument_source& source,
                                                      array_view<const argument_step> steps);

/// A request's arguments, and what those that are views look into.
template <class... T>
class argument_values {
public:
    argument_values(const request_context& context, json_view params, const parameter_list& parameters)
    {
        if constexpr (can_read_text) {
            if (read_text(context, params, parameters, std::index_sequence_for<T...>()))
                return;
        }
        source_.emplace(context, params, parameters, array_view<json_view>(slots_.data(), slots_.size()));
        values_.emplace(read(std::index_sequence_for<T...>()));
    }

    std::tuple<T...>& values() noexcept { return *values_; }

private:
    static constexpr bool can_read_text = sizeof...(T) != 0 && (reads_text<T> && ...);

    template <std::size_t... I>
    bool read_text(const request_context& context, json_view params, const parameter_list& parameters,
                   std::index_sequence<I...>)
    {
        static constexpr std::array<argument_row, sizeof...(T)> rows{
            argument_row{argument<T>::is_required, &read_one_text<I>}...};
        return read_params_text(&values_.emplace(), context, params, parameters, rows);
    }

    template <std::size_t I>
    static bool read_one_text(void* into, text_cursor& from)
    {
        return read_argument_text(from, std::get<I>(*static_cast<std::tuple<T...>*>(into)));
    }

    template <std::size_t... I>
    std::tuple<T...> read(std::index_sequence<I...>)
    {
        try {
            if (!source_->has_unknown()) [[likely]]
                return std::tuple<T...>{argument<T>::read(*source_, I)...}; // braces: in this order
        } catch (const rpc_error&) {                                        // it is not the only problem, maybe
        }
        static constexpr std::array<argument_step, sizeof...(T)> steps{&check<T>...};
        throw_all_problems(nullptr, *source_, steps);
    }

    template <class Argument>
    static void check(void*, argument_source& source, std::size_t index)
    {
        argument<Argument>::read(source, index);
    }

    std::array<json_view, sizeof...(T)> slots_;
    std::optional<argument_source> source_;
    std::optional<std::tuple<T...>> values_;
};

/// The whole params in default storage, which must be of that kind.
PARTYLINE_EXPORT boost::json::object read_whole_object(json_view params);
PARTYLINE_EXPORT boost::json::array read_whole_array(json_view params);

/// Reads one member of a struct that stands for the whole params.
template <class T, class Member>
void read_member_argument(void* into, argument_source& source, std::size_t index)
{
    if (is_defaulted_member<T, Member>() && (source.is_absent(index) || source.is_null(index)))
        return;
    member_type<T, Member>& member = static_cast<T*>(into)->*Member::pointer;
    member = argument<member_type<T, Member>>::read(source, index);
    check_member<T, Member>(source.place(index), member);
}

/// Reads all of them; throws one error for all that is wrong.
PARTYLINE_EXPORT void read_members_of_params(void* into, argument_source& source,
                                             array_view<const argument_step> steps);

/// The params as one described struct: its members are the parameters, by name or in their order.
template <class T, class... Member>
T read_whole_struct(const request_context& context, json_view params, const parameter_list& parameters,
                    boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<argument_step, sizeof...(Member)> steps{&read_member_argument<T, Member>...};
    std::array<json_view, sizeof...(Member)> slots;
    argument_source source(context, params, parameters, {slots.data(), slots.size()});
    T result{};
    read_members_of_params(&result, source, steps);
    return result;
}

/// The same from text, where that goes.
template <class T>
T read_whole_text(const request_context& context, json_view params, const parameter_list& parameters)
{
    T result{};
    if (!read_params_text(&result, context, params, parameters, member_rows<T>))
        return read_whole_struct<T>(context, params, parameters, member_list<T>());
    return result;
}

/// Throws all that is wrong with the params as one error: `read` reads them once more.
[[noreturn]] PARTYLINE_EXPORT void
throw_whole_problems(const request_context& context, const boost::json::value& params,
                     void (*read)(const boost::json::value&, const parameter_place&));

template <class T>
T read_whole_as(const request_context& context, json_view params)
{
    if (params.empty())
        throw_missing(parameter_place(), argument_reader<T>::expected());
    const boost::json::value value = params.to_value();
    reading how(context);
    try {
        return argument_reader<T>::read(value, parameter_place(how));
    } catch (const rpc_error&) { // it is not the only problem, maybe
    }
    throw_whole_problems(context, value, [](const boost::json::value& again, const parameter_place& place) {
        argument_reader<T>::read(again, place);
    });
}

template <class T>
T read_whole(const request_context& context, json_view params, const parameter_list& parameters)
{
    if constexpr (is_raw<T>)
        return T(params);
    else if constexpr (std::is_same_v<T, boost::json::value>)
        return params.to_value();
    else if constexpr (std::is_same_v<T, boost::json::object>)
        return read_whole_object(params);
    else if constexpr (std::is_same_v<T, boost::json::array>)
        return read_whole_array(params);
    else if constexpr (is_whole_params<T>)
        return T{read_whole_as<decltype(T::value)>(context, params)};
    else if constexpr (reads_text<T>)
        return read_whole_text<T>(context, params, parameters);
    else
        return read_whole_struct<T>(context, params, parameters, member_list<T>());
}

} // namespace partyline::detail
