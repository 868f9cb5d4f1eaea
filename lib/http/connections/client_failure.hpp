#pragma once

#include "session/redaction.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>

namespace partyline::http {

/// Throws `system_error`: the code, and words for the log, which may quote what a server says: without secrets.
[[noreturn]] inline void fail(error_code code, const std::string& what)
{
    throw boost::system::system_error(code, redacted(what));
}

/// What was thrown, in one line.
std::string words_of(std::exception_ptr thrown);

} // namespace partyline::http
