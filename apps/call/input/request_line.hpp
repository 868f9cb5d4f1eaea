#pragma once

#include "request.hpp"

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace call {

/// A line that is no request, in words for the user.
class bad_line : public std::runtime_error {
public:
    bad_line(std::size_t number, const std::string& problem);
};

/// Reads a line `{"method":..., "params":..., "id":...}`: `params` may be missing and keep their text, `id` is the
/// label, a string or a number, by default the line's number. What else is in it, such as `"jsonrpc":"2.0"`, is
/// ignored. Throws `bad_line`.
request read_request_line(std::string_view line, std::size_t number);

} // namespace call
