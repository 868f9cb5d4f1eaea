#pragma once

#include <partyline/http/client_errc.hpp>

#include <boost/system/system_error.hpp>

#include <string>

namespace partyline::test {

/// The words with which something refuses a login; those that it does not, where it does not.
template <class Function>
std::string words_of_refusal(Function act)
{
    try {
        act();
    } catch (const boost::system::system_error& e) {
        return e.code() == http::client_errc::unauthorized ? e.what() : "another failure";
    }
    return "no failure";
}

inline bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace partyline::test
