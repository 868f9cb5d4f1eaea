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
bool read_given(argument_source& source, std::size_t index, std::optional<T>& into)
{
    if constexpr (is_raw<T>)
        return put(&into, source.text(index));
    else if constexpr (std::is_same_v<T, boost::json::value>) {
        into = source.kept_value(index); // the handler may keep it, so not out of the arena
        return into.has_value();
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
        const std::optional<std::string_view> text = source.string(index);
        return text && put(&into, *text);
    } else {
        const std::optional<boost::json::value> value = source.value(index);
        return value && argument_reader<T>::read(*value, source.place(index), &into);
    }
}

/// Reads one argument of a handler, into an empty optional; refuses one that is missing unless it is optional.
template <class T>
struct argument {
    static constexpr bool is_required = true;

    static bool read(argument_source& source, std::size_t index, std::optional<T>& into)
    {
        if (source.is_absent(index))
            return refuse_missing(source.place(index), &expected_argument<T>);
        return read_given(source, index, into);
    }
};

template <class T>
struct argument<std::optional<T>> {
    static constexpr bool is_required = false;

    static bool read(argument_source& source, std::size_t index, std::optional<std::optional<T>>& into)
    {
        std::optional<T>& given = into.emplace();
        return source.is_absent(index) || source.is_null(index) || read_given(source, index, given);
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

/// Reads the params of a request into a tuple of arguments, or into a struct that stands for all of them. False where
/// it takes an `argument_source` to see what to make of them.
PARTYLINE_EXPORT bool read_params_text(void* into, const request_context& context, json_view params,
                                       const parameter_list& parameters, array_view<const argument_row> rows);
PARTYLINE_EXPORT bool read_params_text(void* into, const request_context& context, json_view params,
                                       const parameter_list& parameters, array_view<const member_row> rows);

/// Reads one of a source's arguments into what all of them are for.
using argument_step = bool (*)(void* into, argument_source& source, std::size_t index);

/// Reads all of a source's arguments. False where something is wrong with the params: the source has all of it then.
PARTYLINE_EXPORT bool read_arguments(void* into, argument_source& source, array_view<const argument_step> steps);

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
        read(std::index_sequence_for<T...>());
    }

    bool are_refused() const noexcept { return !values_; }
    /// Why they are.
    error_object refusal() { return source_->problems().take(); }
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
    void read(std::index_sequence<I...>)
    {
        static constexpr std::array<argument_step, sizeof...(T)> steps{&read_one<I>...};
        std::tuple<std::optional<T>...> given;
        values_.reset(); // what has been read from text
        if (read_arguments(&given, *source_, steps))
            values_.emplace(std::move(*std::get<I>(given))...);
    }

    template <std::size_t I>
    static bool read_one(void* into, argument_source& source, std::size_t index)
    {
        using type = std::tuple_element_t<I, std::tuple<T...>>;
        return argument<type>::read(source, index, std::get<I>(*static_cast<std::tuple<std::optional<T>...>*>(into)));
    }

    std::array<json_view, sizeof...(T)> slots_;
    std::optional<argument_source> source_;
    std::optional<std::tuple<T...>> values_;
};

/// Reads one member of a struct that stands for the whole params.
template <class T, class Member>
bool read_member_argument(void* into, argument_source& source, std::size_t index)
{
    if (is_defaulted_member<T, Member>() && (source.is_absent(index) || source.is_null(index)))
        return true;
    std::optional<member_type<T, Member>> member;
    if (!argument<member_type<T, Member>>::read(source, index, member) ||
        !check_member<T, Member>(source.place(index), *member))
        return false;
    static_cast<T*>(into)->*Member::pointer = std::move(*member);
    return true;
}

/// Reads the params into one described struct: its members are the parameters, by name or in their order. Returns what
/// they are refused with.
template <class T, class... Member>
std::optional<error_object> read_whole_struct(const request_context& context, json_view params,
                                              const parameter_list& parameters, T& into,
                                              boost::mp11::mp_list<Member...>)
{
    static constexpr std::array<argument_step, sizeof...(Member)> steps{&read_member_argument<T, Member>...};
    std::array<json_view, sizeof...(Member)> slots;
    argument_source source(context, params, parameters, {slots.data(), slots.size()});
    if (read_arguments(&into, source, steps))
        return std::nullopt;
    return source.problems().take();
}

/// The params as a value, which has to be an array or an object. It keeps its storage, and so is not copied.
PARTYLINE_EXPORT boost::system::result<boost::json::value, error_object> read_whole_array(json_view params);
PARTYLINE_EXPORT boost::system::result<boost::json::value, error_object> read_whole_object(json_view params);

/// Reads the params as one value by `read`.
PARTYLINE_EXPORT std::optional<error_object>
read_whole_by(bool (*read)(const boost::json::value&, const parameter_place&, void* into),
              const request_context& context, json_view params, std::string (*expected)(), void* into);

template <class T>
std::optional<error_object> read_whole_as(const request_context& context, json_view params, std::optional<T>& into)
{
    using reader = argument_reader<T>;
    const auto read = [](const boost::json::value& value, const parameter_place& place, void* to) {
        return reader::read(value, place, static_cast<std::optional<T>*>(to));
    };
    return read_whole_by(read, context, params, &reader::expected, &into);
}

/// Reads the params into what one argument that stands for all of them begins as. Returns what they are refused with.
template <class T>
std::optional<error_object> read_whole(const request_context& context, json_view params,
                                       const parameter_list& parameters, T& into)
{
    if constexpr (is_raw<T>) {
        into = T(params);
        return std::nullopt;
    } else {
        if constexpr (reads_text<T>) {
            if (read_params_text(&into, context, params, parameters, member_rows<T>))
                return std::nullopt;
            into = T{};
        }
        return read_whole_struct(context, params, parameters, into, member_list<T>());
    }
}

/// The one argument of a handler that stands for all of the params.
template <class T>
class whole_argument {
public:
    whole_argument(const request_context& context, json_view params, const parameter_list& parameters)
    {
        if constexpr (is_whole_params<T>) {
            std::optional<decltype(T::value)> given;
            refusal_ = read_whole_as(context, params, given);
            if (!refusal_)
                values_.emplace(T{std::move(*given)});
        } else if constexpr (std::is_same_v<T, boost::json::value>) {
            if (params.is_built()) [[likely]]
                values_.emplace(params.to_value());
            else
                take(params.try_to_value(), [](boost::json::value& from) -> T& { return from; });
        } else if constexpr (std::is_same_v<T, boost::json::object>)
            take(read_whole_object(params), [](boost::json::value& from) -> T& { return from.get_object(); });
        else if constexpr (std::is_same_v<T, boost::json::array>)
            take(read_whole_array(params), [](boost::json::value& from) -> T& { return from.get_array(); });
        else
            refusal_ = read_whole(context, params, parameters, std::get<0>(values_.emplace(T{})));
    }

    bool are_refused() const noexcept { return refusal_.has_value(); }
    error_object refusal() { return std::move(*refusal_); }
    std::tuple<T>& values() noexcept { return *values_; }

private:
    template <class Part>
    void take(boost::system::result<boost::json::value, error_object>&& built, Part part)
    {
        if (built) [[likely]]
            values_.emplace(std::move(part(*built)));
        else
            refusal_ = built.error();
    }

    std::optional<error_object> refusal_;
    std::optional<std::tuple<T>> values_;
};

} // namespace partyline::detail
