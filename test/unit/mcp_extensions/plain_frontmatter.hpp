#pragma once

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace skills_test {

/// JSON, or else a text.
inline boost::json::value read_plain_value(const std::string& text)
{
    boost::system::error_code failed;
    boost::json::value read = boost::json::parse(text, failed);
    return failed ? boost::json::value(text) : read;
}

/// Reads lines of "name: value", as much of YAML as these tests have.
inline boost::json::object read_plain(std::string_view yaml)
{
    boost::json::object read;
    std::istringstream lines{std::string(yaml)};
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            throw std::runtime_error("expected \"name: value\", got \"" + line + "\"");
        const std::string name = line.substr(0, colon);
        const boost::json::value quoted = read_plain_value(name);
        read[quoted.is_string() ? std::string(quoted.get_string()) : name] = read_plain_value(line.substr(colon + 2));
    }
    return read;
}

} // namespace skills_test
