#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::http {

/// What can be wrong with a client's call over HTTP, or its session, besides `partyline::errc`.
enum class client_errc {
    /// The server wants a token that `client_options::tokens` has not, or refuses those that it has. The details have
    /// the words of the server, or of whoever issues the tokens. It is a `boost::system::errc::permission_denied`.
    unauthorized = 1,
    /// The server has lost the session of MCP, as it does where it is started again, and whoever uses the session wants
    /// to know: `mcp::supervised_client`. A call that is refused for that has not been served; of one that was under
    /// way nobody knows. It is a `boost::system::errc::connection_reset`.
    session_lost,
};

/// The category of the codes of `client_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_category() noexcept;

/// Makes a code of it; a `client_errc` becomes an `error_code` by itself.
inline error_code make_error_code(client_errc e) noexcept
{
    return {static_cast<int>(e), client_category()};
}

} // namespace partyline::http

template <>
struct boost::system::is_error_code_enum<partyline::http::client_errc> : std::true_type {};
