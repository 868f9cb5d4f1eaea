#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/check_reading.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/session/caller.hpp>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace partyline::detail {

/// "at size.w: expected integer, got string", of an error that reading params would be answered with.
PARTYLINE_EXPORT std::string describe_mismatch(const rpc_error& error);

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
                reading how(unknown_members::ignored);
                return argument_reader<T>::read(view.to_value(), parameter_place(how));
            }
        } catch (const rpc_error& mismatch) {
            problem = describe_mismatch(mismatch);
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
