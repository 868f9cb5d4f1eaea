#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/check_reading.hpp>
#include <partyline/rpc/detail/problem_list.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/session/caller.hpp>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace partyline::detail {

/// "at size.w: expected integer, got string", of an error that reading params would be answered with.
PARTYLINE_EXPORT std::string describe_mismatch(const error_object& error);

/// Reads what somebody else may have made who knows more members of described structs than those do. Nothing, and the
/// problem, when it is no `T`. Throws what a conversion of the type's own throws.
template <class T>
std::optional<T> read_tolerantly(const boost::json::value& from, error_object& problem)
{
    problem_list problems(1);
    reading how(unknown_members::ignored, &problems);
    std::optional<T> result;
    problems.attempt([&] { argument_reader<T>::read(from, parameter_place(how), &result); });
    if (problems.empty())
        return result;
    problem = problems.take();
    return std::nullopt;
}

/// Reads the result of a call as a `T`, as a handler's argument is read, but for members of described structs that
/// those do not know: a server may have grown some.
template <class T>
struct result_reader {
    static constexpr bool can_be_read = check_reading<T>();

    /// Nothing, and the problem, when it is no `T`.
    static std::optional<T> read(const json_text& result, std::string& problem)
    {
        try {
            const json_view view = json_view::checked(result.text());
            if constexpr (std::is_same_v<T, boost::json::value>)
                return view.to_value();
            else if constexpr (can_be_read) {
                error_object mismatch;
                std::optional<T> value = read_tolerantly<T>(view.to_value(), mismatch);
                if (!value)
                    problem = describe_mismatch(mismatch);
                return value;
            }
        } catch (const rpc_error& mismatch) {
            problem = describe_mismatch(mismatch.error());
        } catch (const std::exception& failed) { // of a conversion of the type's own
            problem = failed.what();
        }
        return std::nullopt;
    }
};

template <>
struct result_reader<void> {
    static constexpr bool can_be_read = true;
    static std::optional<std::monostate> read(const json_text&, std::string&) { return std::monostate(); }
};

template <>
struct result_reader<json_text> {
    static constexpr bool can_be_read = true;
    static std::optional<json_text> read(const json_text& result, std::string&) { return result; }
};

} // namespace partyline::detail
