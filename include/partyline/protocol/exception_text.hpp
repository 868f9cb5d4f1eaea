#pragma once

#include <partyline/config.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>

namespace partyline {

/// The text of an exception for a log or a user: `what()`, but for a `boost::system::system_error` without the file and
/// the function of the library that has made its code.
///
///     const boost::system::system_error e(boost::asio::error::connection_refused, "cannot connect to 127.0.0.1:1");
///     show(partyline::exception_text(e)); // cannot connect to 127.0.0.1:1: Connection refused
PARTYLINE_EXPORT std::string exception_text(const std::exception& thrown);

/// The part of that text that its thrower has added to the message of the code: "cannot connect to 127.0.0.1:1".
/// Empty: nothing was added.
PARTYLINE_EXPORT std::string exception_details(const boost::system::system_error& thrown);

} // namespace partyline
