#pragma once

#include <boost/system/error_code.hpp>

#include <type_traits>

namespace partyline {

using boost::system::error_code;

/// Local failures. What a peer answers is never one of these: see `error_object`.
enum class errc {
    /// `async_run` was called on a session that runs already or has run.
    already_started = 1,
    /// The session has ended, or was ended by `stop()`.
    session_closed,
    /// Whoever read our output is gone.
    peer_gone,
    /// Input had ended and handlers were cancelled because `drain_timeout` was over.
    drain_timeout,
    /// A notification came that the limits leave no room for; to drop it could have left our state wrong.
    overloaded,
    /// The peer has read nothing of what we write for as long as `session_options::write_stall`.
    write_stalled,
};

const boost::system::error_category& partyline_category() noexcept;

inline error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), partyline_category()}; }

} // namespace partyline

template <>
struct boost::system::is_error_code_enum<partyline::errc> : std::true_type {};
