#pragma once

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partyline::test {

/// What a POST is to be answered with.
struct expectation {
    enum class kind : std::uint8_t {
        nothing,        // a notification
        echoed,         // [ID], or [ID,TEXT]
        counted,        // {"counted":N}, with progress before it
        tool_text,      // TEXT
        tool_steps,     // "N steps done", with progress before it
        unknown_method, // an error
        endless         // progress, and no end
    };

    kind what = kind::nothing;
    bool is_batch = false;
    /// What a server that has been killed did not answer is an error.
    bool may_fail = false;
    std::uint64_t first_id = 0;
    std::size_t requests = 1; // with ids in a row
    std::size_t bytes = 0;    // of TEXT; 0: there is none
    std::int64_t counted = 0; // N
};

/// A letter that answers of other requests mostly have not.
constexpr char letter_of(std::uint64_t id)
{
    return static_cast<char>('a' + id % 26);
}

/// Holds what comes for a POST against what it expects.
class answer_check {
public:
    explicit answer_check(const expectation& expected) : expected_(expected) {}

    bool is_silent() const noexcept { return expected_.what == expectation::kind::nothing; }
    /// Takes the next message. True: that was the last one. Throws when it is none that may come.
    bool take(std::string_view message);
    /// Messages of progress, and requests that are answered by the death of their server.
    std::size_t told() const noexcept { return told_; }
    std::size_t failed() const noexcept { return failed_; }

private:
    using json_object = boost::json::object;

    bool is_right(const boost::json::value& message);
    bool is_progress(const json_object& message);
    bool is_told_progress() const noexcept;
    bool is_reply(const json_object& message);
    bool is_own(const json_object& reply);
    bool is_result(const boost::json::value& result, std::uint64_t id) const;
    bool is_tool_result(const json_object& result, std::uint64_t id) const;
    bool is_error(const json_object& error);

    expectation expected_;
    std::uint64_t answered_ = 0; // a bit for each request
    std::int64_t last_progress_ = 0;
    std::size_t told_ = 0;
    std::size_t failed_ = 0;
};

} // namespace partyline::test
