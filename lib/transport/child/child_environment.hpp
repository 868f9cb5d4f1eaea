#pragma once

#include <partyline/transport/child_options.hpp>

#include <map>
#include <string>
#include <vector>

namespace partyline {

/// The environment of a child process.
class child_environment {
public:
    /// Throws `std::invalid_argument` for a variable that can't be.
    explicit child_environment(const child_options& options);

    /// Where to look for the file of `command`: itself when it has a slash, else it in every directory of the child's
    /// PATH, or of ours when the child gets none.
    std::vector<std::string> places_of(const std::string& command) const;

    /// As execve wants it; valid as long as this object.
    std::vector<char*> pointers();

private:
    std::map<std::string, std::string> variables_;
    std::vector<std::string> entries_;
};

} // namespace partyline
