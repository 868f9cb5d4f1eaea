#pragma once

#include <partyline/protocol/errc.hpp>

#include <cerrno>

namespace partyline {

/// Why the system call just now has failed.
inline error_code errno_code() noexcept
{
    return {errno, boost::system::system_category()};
}

} // namespace partyline
