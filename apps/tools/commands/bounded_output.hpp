#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tools {

/// Output of any length, of which the beginning and the end are kept: what has gone wrong stands in either, mostly.
class bounded_output {
public:
    explicit bounded_output(std::size_t max_bytes) : max_head_(max_bytes / 2), max_tail_(max_bytes - max_bytes / 2) {}

    void add(std::string_view piece);

    /// What has been kept, as valid UTF-8, with a line between the two that says how much has been left out.
    std::string text() const;
    std::uint64_t bytes_left_out() const noexcept;

private:
    std::string_view tail() const noexcept;

    std::size_t max_head_;
    std::size_t max_tail_;
    std::string head_;
    std::string end_; // up to twice the tail: cutting it costs less when it is seldom
    std::uint64_t dropped_ = 0;
};

} // namespace tools
