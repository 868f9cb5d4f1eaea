#pragma once

#include <partyline/rpc/detail/read_result.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace partyline::mcp {

// What a server says that is not as the protocol has it throws `failed_call` with `client_errc::bad_result`, which
// names the method, the place, what was expected and what came: "tools/list: at the result.tools[3].name: expected a
// string, got null".

/// `place`: from the whole, such as "tools[3].name"; empty for the whole.
[[noreturn]] void refuse_result(std::string_view method, std::string_view place, std::string_view expected,
                                std::string_view got);
/// `problem`: what reading what is at `place` as a described struct has found.
[[noreturn]] void refuse_result(std::string_view method, const error_object& problem, std::string_view place = {});

/// The result of a method, or what is asked by one, as a described struct; or what stands at `place` there. Members
/// that the struct does not know are passed over.
template <class T>
T read_as(std::string_view method, const boost::json::value& whole, std::string_view place = {})
{
    error_object problem;
    std::optional<T> read = partyline::detail::read_tolerantly<T>(whole, problem);
    if (!read)
        refuse_result(method, problem, place);
    return *std::move(read);
}

} // namespace partyline::mcp
