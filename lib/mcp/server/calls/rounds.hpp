#pragma once

#include "mcp/state/request_state.hpp"

#include <partyline/mcp/questions.hpp>
#include <partyline/protocol/byte_buffer.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// What a handler has to know of its earlier runs, and what it asks in this one (2026-07-28).
///
/// Flow: made of what a request brings; `answer()` for each question; when something is open, `note_asked()` and
/// `questions()` end the round.
class rounds {
public:
    /// `memo`: of the state that a request brought, or a fresh one. `brought`: its answers by key; null where there are
    /// none.
    rounds(round_memo memo, boost::json::value brought);

    /// The answer to a question, from an earlier round or from this request's; null where there is none. One whose
    /// words have changed is another question.
    const boost::json::value* answer(const detail::question& asked);
    /// That answer does not fit: it counts as not given.
    void forget_answer(const detail::question& asked);
    void add_open(const detail::question& asked);
    bool has_open() const noexcept { return !open_.empty(); }

    const boost::json::value* kept(std::string_view key) const;
    void keep(std::string_view key, boost::json::value result);
    const boost::json::value* state() const noexcept { return next_.state ? &*next_.state : nullptr; }
    void set_state(boost::json::value next) { next_.state = std::move(next); }
    int round() const noexcept { return static_cast<int>(next_.round); }

    /// What is open is asked now: only an answer to that counts in the next round.
    void note_asked();
    /// The questions as they are sent: `{key: {method, params}}`.
    boost::json::object questions() const;
    /// What the next round has to find again.
    const round_memo& memo() const noexcept { return next_; }

private:
    bool was_asked_otherwise(std::string_view key, const std::string& digest) const;

    round_memo next_;
    boost::json::value brought_;
    std::vector<detail::question> open_;
};

} // namespace partyline::mcp
