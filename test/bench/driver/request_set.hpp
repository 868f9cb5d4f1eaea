#pragma once

#include "content.hpp"
#include "tool_reply.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// What a set of requests is made from.
struct request_recipe {
    std::string method;
    content fill;
    std::size_t count = 1;
    std::size_t batch = 0; // so many in one array; 0: each by itself
    bool echoes = false;   // the result is the params, whatever the content says
    likeness like = likeness::same;
};

/// Numbers that tell requests apart: neither 0, 1, 2 nor of one length.
class request_ids {
public:
    request_ids(random_source& random, std::size_t count);

    std::size_t count() const noexcept { return count_; }
    std::uint64_t operator[](std::size_t index) const noexcept { return first_ + index * step_; }
    std::optional<std::size_t> index_of(std::uint64_t id) const noexcept;

private:
    std::size_t count_;
    std::uint64_t first_;
    std::uint64_t step_;
};

/// Requests, all in memory before the clock starts, and the results they ask for.
class request_set {
public:
    request_set(const request_recipe& recipe, random_source& random);

    /// All of them, a message a line.
    const std::string& text() const noexcept { return text_; }
    /// How many messages that are, and the one at `index`.
    std::size_t messages() const noexcept { return ends_.size(); }
    std::string_view body(std::size_t index) const;
    const request_ids& ids() const noexcept { return ids_; }
    /// The text of the result, as the params had it.
    std::string_view result(std::size_t index) const;
    /// How the one that comes has to be like it.
    likeness like() const noexcept { return like_; }
    /// What the params take, on average.
    std::size_t params_bytes() const noexcept { return params_bytes_ / ids_.count(); }

private:
    void append_request(const request_recipe& recipe, random_source& random, std::string& message);

    request_ids ids_;
    likeness like_;
    std::string text_;
    std::vector<std::size_t> ends_; // of the messages in it
    std::string results_;
    std::vector<std::size_t> result_ends_;
    std::size_t params_bytes_ = 0;
};

/// A cancel of the request of that id.
std::string cancel_of(std::uint64_t id);

} // namespace bench
