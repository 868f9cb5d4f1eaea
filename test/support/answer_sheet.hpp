#pragma once

#include "line_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace partyline::test {

/// Keeps account of the answers to requests that are numbered from 0: none is answered twice, and nothing is answered
/// that was not asked.
class answer_sheet {
public:
    explicit answer_sheet(std::size_t requests) : answered_(requests) {}

    /// Takes one line that the server wrote. Throws when it is no reply, a second one, or one to no request.
    void note(std::string_view line);
    /// `note`, for what reads lines.
    line_handler noting()
    {
        return [this](std::string_view line) { note(line); };
    }

    bool has(std::uint64_t id) const { return answered_.at(id); }
    std::size_t total() const noexcept { return total_; }
    bool is_complete() const noexcept { return total_ == answered_.size(); }
    std::size_t results() const { return errors(0); }
    /// How many errors of this code.
    std::size_t errors(int code) const;

private:
    std::vector<bool> answered_;
    std::size_t total_ = 0;
    std::map<int, std::size_t> by_code_; // 0: a result
};

} // namespace partyline::test
