#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::mcp {

/// Errors of a client's operations, besides those of `partyline::errc` and the errors that the server answers. The
/// details, in words, name the place.
enum class client_errc {
    /// The operation needs a client whose `client::start` has succeeded.
    not_started = 1,
    /// The server has no revision of the protocol that is known here and wanted (`client_options::era`).
    unsupported_version,
    /// The server's answer does not have the form that the protocol defines.
    bad_result,
    /// The server has answered with a `resultType` that is not known here (2026-07-28).
    unknown_result_type,
    /// The server has asked a question for which no handler was set, and which the client had not declared.
    no_handler,
    /// The server asked in too many rounds: `client_options::max_rounds`.
    too_many_rounds,
    /// A list gave the same cursor twice, or is longer than `client_options` lets lists be.
    endless_list,
    /// The server does not notify of the resource's changes, or of the topic that an extension has subscribed to.
    not_subscribed,
    /// The server has not declared the extension.
    not_declared,
};

/// The category of the codes of `client_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_category() noexcept;

/// Makes an `error_code`; a `client_errc` converts to one implicitly.
inline error_code make_error_code(client_errc e) noexcept
{
    return {static_cast<int>(e), client_category()};
}

} // namespace partyline::mcp

template <>
struct boost::system::is_error_code_enum<partyline::mcp::client_errc> : std::true_type {};
