#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace partyline {

/// Text that comes in pieces, as lines. A long line is cut, so that one without an end takes no room.
class line_splitter {
public:
    explicit line_splitter(std::size_t max_line) : max_line_(max_line) {}

    /// The lines that `piece` ends, without "\n" or "\r\n".
    std::vector<std::string> feed(std::string_view piece);
    /// The rest, when there is one: no more will come.
    std::vector<std::string> finish();

private:
    void add(std::string_view part);
    std::string take();

    std::size_t max_line_;
    std::string line_;
    bool has_begun_ = false;
};

} // namespace partyline
