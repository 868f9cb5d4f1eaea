#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>

namespace partyline::http {

/// Throws `system_error`: the code, and words for the log.
[[noreturn]] inline void fail(error_code code, const std::string& what)
{
    throw boost::system::system_error(code, what);
}

/// What was thrown, in one line.
std::string words_of(std::exception_ptr thrown);

} // namespace partyline::http
