#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tools {

/// A line as results have it: valid UTF-8, and no more than some `max_bytes`. Of a longer one what surrounds the `size`
/// bytes at `at` is shown, with "..." for what is left out.
std::string excerpt_of(std::string_view line, std::size_t at, std::size_t size, std::size_t max_bytes);

/// How many of `size` bytes can be taken without cutting a character in two.
std::size_t whole_characters(std::string_view text, std::size_t size) noexcept;

} // namespace tools
