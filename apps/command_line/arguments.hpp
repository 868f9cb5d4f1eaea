#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace command_line {

/// Reads a command line that consists of options only. Throws `std::exception` with a text for the user.
boost::program_options::variables_map parse(int argc, const char* const* argv,
                                            const boost::program_options::options_description& all);

/// What a command line consists of.
struct arguments {
    boost::program_options::variables_map options;
    /// What is neither an option nor the value of one, in order.
    std::vector<std::string> words;
};

/// The same with other words before, behind and between the options.
arguments parse_with_words(const std::vector<std::string>& command_line,
                           const boost::program_options::options_description& all);

/// The value of a `std::int64_t` option. Throws `std::invalid_argument` when it is out of range. (As an unsigned option
/// Boost.Program_options would take -1 for a large number.)
std::int64_t in_range(const boost::program_options::variables_map& given, const char* name, std::int64_t min,
                      std::int64_t max);

/// The value of a `std::int64_t` option that counts something: from 1 to a million; none unless it is given.
std::optional<std::size_t> count_of(const boost::program_options::variables_map& given, const char* name);

/// The value of a `std::string` option; empty unless it is given.
std::string text_of(const boost::program_options::variables_map& given, const char* name);

/// Which of `words` the value of an option is; the first one unless it is given. Throws `std::invalid_argument` for
/// another.
std::size_t choice_of(const boost::program_options::variables_map& given, const char* name,
                      std::initializer_list<std::string_view> words);

} // namespace command_line
