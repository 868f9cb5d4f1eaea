#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::mcp {

/// What can be wrong with a client's operation besides `partyline::errc`, and besides the errors that the server
/// answers. The details, in words, name the place.
enum class client_errc {
    /// Nothing can be asked before `client::start` has succeeded.
    not_started = 1,
    /// The server has no revision of the protocol that is known here and wanted (`client_options::era`).
    unsupported_version,
    /// The server has answered with something else than the protocol has.
    bad_result,
    /// The server has answered with a `resultType` that is not known here (2026-07-28).
    unknown_result_type,
    /// The server asks for something that no handler was set for; it had been told so.
    no_handler,
    /// The server asked again and again: `client_options::max_rounds`.
    too_many_rounds,
    /// A list gave the same cursor twice, or is longer than `client_options` lets lists be.
    endless_list,
    /// The server does not tell of the resource's changes, or of what an extension has subscribed to.
    not_subscribed,
    /// The server has not declared the extension.
    not_declared,
};

/// The category of the codes of `client_errc`.
PARTYLINE_EXPORT const boost::system::error_category& client_category() noexcept;

/// Makes a code of it; a `client_errc` becomes an `error_code` by itself.
inline error_code make_error_code(client_errc e) noexcept
{
    return {static_cast<int>(e), client_category()};
}

} // namespace partyline::mcp

template <>
struct boost::system::is_error_code_enum<partyline::mcp::client_errc> : std::true_type {};
