#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline::fleet {

/// Errors of sessions over a bus, besides those of `partyline::errc`.
enum class fleet_errc {
    /// No worker has opened the session: see `front::open_session`. The details of its calls have the reason.
    not_opened = 1,
};

/// The category of the codes of `fleet_errc`.
PARTYLINE_EXPORT const boost::system::error_category& fleet_category() noexcept;

/// Makes an `error_code`; a `fleet_errc` converts to one implicitly.
inline error_code make_error_code(fleet_errc e) noexcept
{
    return {static_cast<int>(e), fleet_category()};
}

} // namespace partyline::fleet

template <>
struct boost::system::is_error_code_enum<partyline::fleet::fleet_errc> : std::true_type {};
