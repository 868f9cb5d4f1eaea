#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace partyline::http {

/// Ends a request with a code, and with words for the log.
[[noreturn]] inline void fail(error_code code, const std::string& what)
{
    throw boost::system::system_error(code, what);
}

/// Those words. (`what()` has the code behind them, and where in Boost it comes from.)
inline std::string words_of(const boost::system::system_error& failed)
{
    std::string words = failed.what();
    const std::string added = failed.code().what();
    if (!words.ends_with(added))
        return words;
    words.resize(words.size() - added.size());
    if (words.ends_with(": "))
        words.resize(words.size() - 2);
    return words;
}

} // namespace partyline::http
