#pragma once

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

namespace kit {

/// The text of what `act` throws.
template <class Exception, class Act>
std::string thrown_by(Act act)
{
    try {
        act();
    } catch (const Exception& problem) {
        return problem.what();
    }
    return "nothing was thrown";
}

template <class Act>
boost::system::error_code code_thrown_by(Act act)
{
    try {
        act();
    } catch (const boost::system::system_error& problem) {
        return problem.code();
    }
    return {};
}

inline bool contains(const std::string& text, const std::string& part)
{
    if (text.find(part) != std::string::npos)
        return true;
    BOOST_TEST_MESSAGE(text);
    return false;
}

} // namespace kit
