#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/params_reader.hpp>
#include <partyline/rpc/detail/read_containers.hpp>
#include <partyline/rpc/detail/read_described.hpp>
#include <partyline/rpc/detail/read_variant.hpp>
#include <partyline/rpc/detail/read_wrapped.hpp>
#include <partyline/rpc/whole_params.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
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

/// Reads a type for code that does not know it.
template <class T>
bool read_any(void* into, json_source& from)
{
    return argument_reader<T>::read(from, *static_cast<read_slot<T>*>(into));
}

/// The arguments of a request.
template <class... T>
class argument_values {
public:
    using values_type = std::tuple<read_slot<T>...>;

    argument_values(const request_context& context, json_view params, const parameter_list& parameters)
        : reader_(context, params, parameters)
    {
        are_read_ = read(std::index_sequence_for<T...>());
    }

    bool are_refused() const noexcept { return !are_read_; }
    /// The reason why the arguments are refused.
    error_object refusal() { return reader_.refusal(); }
    values_type& values() noexcept { return values_; }

private:
    template <std::size_t... I>
    bool read(std::index_sequence<I...>)
    {
        static constexpr std::array<read_row, sizeof...(T)> rows{
            read_row{{}, !is_optional<T>, &read_one<I, T>, is_raw<T> || is_optional_raw<T>}...};
        if (reader_.read_text(&values_, rows)) [[likely]]
            return true;
        (renew(std::get<I>(values_)), ...);
        return reader_.read_values(&values_, rows);
    }

    template <class Slot>
    static void renew(Slot& slot)
    {
        if constexpr (std::is_move_assignable_v<Slot>)
            slot = Slot();
        else
            slot.reset();
    }

    template <std::size_t I, class Type>
    static bool read_one(void* into, json_source& from)
    {
        return argument_reader<Type>::read(from, std::get<I>(*static_cast<values_type*>(into)));
    }

    params_reader reader_; // views look into it
    values_type values_;
    bool are_read_ = false;
};

/// The one argument of a handler that stands for all of the params.
template <class T>
class whole_argument {
public:
    using values_type = std::tuple<T>;

    whole_argument(const request_context& context, json_view params, const parameter_list&)
    {
        if constexpr (is_raw<T>)
            values_.emplace(T(params));
        else if constexpr (is_whole_params<T>)
            read_whole(context, params);
        else if constexpr (std::is_same_v<T, boost::json::value>) {
            if (params.is_built()) [[likely]]
                values_.emplace(params.to_value());
            else
                take_part(params.try_to_value(), [](boost::json::value& from) -> T& { return from; });
        } else if constexpr (std::is_same_v<T, boost::json::object>)
            take_part(read_whole_object(params), [](boost::json::value& from) -> T& { return from.get_object(); });
        else
            take_part(read_whole_array(params), [](boost::json::value& from) -> T& { return from.get_array(); });
    }

    bool are_refused() const noexcept { return refusal_.has_value(); }
    error_object refusal() { return std::move(*refusal_); }
    values_type& values() noexcept { return *values_; }

private:
    void read_whole(const request_context& context, json_view params)
    {
        using type = decltype(T::value);
        std::optional<read_slot<type>> given;
        if (!read_whole_text(&given.emplace(), &read_any<type>, context, params))
            refusal_ = read_whole_value(&given.emplace(), &read_any<type>, context, params);
        if (!refusal_)
            values_.emplace(T{take<type>(*given)});
    }

    template <class Part>
    void take_part(boost::system::result<boost::json::value, error_object>&& built, Part part)
    {
        if (built) [[likely]]
            values_.emplace(std::move(part(*built)));
        else
            refusal_ = built.error();
    }

    std::optional<error_object> refusal_;
    std::optional<std::tuple<T>> values_;
};

/// A described struct: its members are the parameters, by name or in their order.
template <described_struct T>
class whole_argument<T> {
public:
    using values_type = std::tuple<T>;

    whole_argument(const request_context& context, json_view params, const parameter_list& parameters)
        : reader_(context, params, parameters), values_(T{})
    {
        T& given = std::get<0>(values_);
        if constexpr (std::is_move_assignable_v<T>) {
            if (reader_.read_text(&given, member_rows<T>)) [[likely]]
                return;
            given = T{};
        }
        are_read_ = reader_.read_values(&given, member_rows<T>);
    }

    bool are_refused() const noexcept { return !are_read_; }
    error_object refusal() { return reader_.refusal(); }
    values_type& values() noexcept { return values_; }

private:
    params_reader reader_;
    values_type values_;
    bool are_read_ = true;
};

} // namespace partyline::detail
