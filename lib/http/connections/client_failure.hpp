#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/exception_text.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace partyline::http {

/// Ends a request with a code, and with words for the log.
[[noreturn]] inline void fail(error_code code, const std::string& what)
{
    throw boost::system::system_error(code, what);
}

/// Those words.
inline std::string words_of(const boost::system::system_error& failed)
{
    return exception_details(failed);
}

} // namespace partyline::http
