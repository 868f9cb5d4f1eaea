#pragma once

#include <partyline/config.hpp>
#include <partyline/rpc/detail/check_reading.hpp>
#include <partyline/rpc/detail/read_argument.hpp>
#include <partyline/session/caller.hpp>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>

namespace partyline::detail {

/// "at size.w: expected integer, got string", of an error that reading params would be answered with.
PARTYLINE_EXPORT std::string describe_mismatch(const error_object& error);

/// Reads, by `read`, a value that another program may have made with more members of described structs than these have.
/// Throws the exceptions of a type's own conversion.
PARTYLINE_EXPORT bool read_tolerantly(void* into, read_function read, const boost::json::value& from,
                                      error_object& problem);
/// Reads text; returns false where it has to be read as a value (see json_source.hpp).
PARTYLINE_EXPORT bool read_tolerantly(void* into, read_function read, json_view from) noexcept;
/// Reads any text. Throws nothing: all problems are reported in `problem`.
PARTYLINE_EXPORT bool read_tolerantly(void* into, read_function read, json_view from, std::string& problem);

/// Returns nothing, and sets the problem, when the value is no `T`.
template <class T>
std::optional<T> read_tolerantly(const boost::json::value& from, error_object& problem)
{
    read_slot<T> given = read_slot<T>();
    if (!read_tolerantly(&given, &read_any<T>, from, problem))
        return std::nullopt;
    return take<T>(given);
}

/// Reads the result of a call as a `T`, as a handler's argument is read, but for members of described structs that
/// those do not know: a server may have grown some.
template <class T>
struct result_reader {
    static constexpr bool can_be_read = check_reading<T>();

    /// Returns nothing, and sets the problem, when the value is no `T`.
    static std::optional<T> read(const json_text& result, std::string& problem)
    {
        if constexpr (can_be_read) {
            try {
                return read_checked(result, problem);
            } catch (const std::exception& failed) { // a constructor of the type's own
                problem = failed.what();
            }
        }
        return std::nullopt;
    }

private:
    static std::optional<T> read_checked(const json_text& result, std::string& problem)
    {
        const json_view view = json_view::checked(result.text());
        std::optional<read_slot<T>> given;
        if ((result.is_checked() && read_tolerantly(&given.emplace(), &read_any<T>, view)) ||
            read_tolerantly(&given.emplace(), &read_any<T>, view, problem))
            return take<T>(*given);
        return std::nullopt;
    }
};

/// Any value is one, in the memory that values of results have.
template <>
struct result_reader<boost::json::value> {
    static constexpr bool can_be_read = true;

    static std::optional<boost::json::value> read(const json_text& result, std::string& problem)
    {
        boost::system::result<boost::json::value, error_object> built =
            json_view::checked(result.text()).try_to_value();
        if (built)
            return std::move(*built);
        problem = describe_mismatch(built.error());
        return std::nullopt;
    }
};

} // namespace partyline::detail
