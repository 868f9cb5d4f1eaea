#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace partyline::mcp::skills {

/// What is wrong with a text in YAML, and in which line, counted from 1.
class yaml_error : public std::runtime_error {
public:
    yaml_error(std::size_t line, const std::string& what) : std::runtime_error(what), line_(line) {}

    std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

/// What a scalar without quotes is by the core schema of YAML 1.2: null, a bool, a number, or else a text. Throws
/// `std::out_of_range` for a number that JSON does not have here: infinite, none, or an integer of more than 64 bits.
boost::json::value resolve_scalar(std::string_view text);

} // namespace partyline::mcp::skills
