#pragma once

#include "answer_check.hpp"
#include "post_text.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

/// Where POSTs go, and what is said there.
struct post_target {
    enum class protocol : std::uint8_t { plain, mcp };

    protocol speaks = protocol::plain;
    /// Of each of them, such as that of a session.
    std::string fields = {};
};

/// Makes POSTs of all kinds, with ids that are never used again. The same seed makes the same ones.
class post_mix {
public:
    /// How sure an answer is: one behind a gateway may be lost with its server.
    enum class answers : std::uint8_t { always, or_error };
    enum class connection : std::uint8_t { stays, closes };

    explicit post_mix(std::uint64_t seed, answers how = answers::always, post_target to = {})
        : random_(seed), answers_(how), to_(std::move(to))
    {
    }

    /// Appends a POST, which asks the server to close the connection or not, and says what is to come back.
    expectation add_next(std::string& out, connection then);
    /// Appends one whose answer has no end.
    expectation add_endless(std::string& out);

    std::size_t random(std::size_t bound) { return below(bound, random_); }

private:
    expectation new_ids(expectation::kind what, std::size_t count);
    expectation make_plain(std::string& body);
    expectation make_mcp(std::string& body);
    expectation make_tool_call(std::string& body);
    expectation make_steps(std::string& body);
    expectation make_echo(std::string& body);
    expectation make_small(std::string& body);
    expectation make_count(std::string& body);
    expectation make_error(std::string& body);
    expectation make_notification(std::string& body);
    expectation make_batch(std::string& body);
    std::size_t text_size();
    std::string_view any_accept();

    std::mt19937_64 random_;
    answers answers_;
    post_target to_;
    std::uint64_t next_id_ = 1;
};

} // namespace partyline::test
