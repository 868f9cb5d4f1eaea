#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::http {

/// Errors of a client's calls over HTTP, and of its session, besides those of `partyline::errc`.
enum class client_errc {
    /// The server wants a token that `client_options::tokens` does not have, or refuses those that it has. The details
    /// have the text of the server, or of the issuer of the tokens. The code equals
    /// `boost::system::errc::permission_denied`.
    unauthorized = 1,
    /// The server has lost the session of MCP, for example by a restart; reported where the user of the session asks
    /// for that, as `mcp::supervised_client` does. A call that is refused for this reason has not been served; whether
    /// a call that was under way has been served is unknown. The code equals `boost::system::errc::connection_reset`.
    session_lost,
};

/// The category of the codes of `client_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_category() noexcept;

/// Makes an `error_code`; a `client_errc` converts to one implicitly.
inline error_code make_error_code(client_errc e) noexcept
{
    return {static_cast<int>(e), client_category()};
}

} // namespace partyline::http

template <>
struct boost::system::is_error_code_enum<partyline::http::client_errc> : std::true_type {};
