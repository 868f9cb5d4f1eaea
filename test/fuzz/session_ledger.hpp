#pragma once

#include "fuzz/json_tree.hpp"

#include <partyline/protocol/limits.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace partyline::test {

/// What a stream asks of a session: how many answers, and to which ids (strings decoded).
struct asked {
    std::map<std::string, int> ids;
    std::size_t answers = 0;
    /// How many of the answers may be missing, since one answer stands for several in a batch that is refused.
    std::size_t spare = 0;
    bool has_cancel = false;
};

/// What a session has said: the same, of answers that were given.
struct answered {
    std::map<std::string, int> ids;
    std::size_t answers = 0;
    /// Unset when Boost.JSON could not read a line for limits of its own, which is missing here then.
    bool is_certain = true;
};

asked read_requests(std::string_view stream, const limits& bounds);

/// Ends the program when `lines` are not whole lines of JSON-RPC.
answered read_answers(std::string_view lines);
/// Whether an object of a line is an answer. Ends the program when it is nothing that may be said.
using answer_check = bool (*)(const json_tree& said, std::string_view line);
/// The same by the rules of another protocol.
answered read_answers(std::string_view lines, answer_check is_answer);

bool is_all_answered(const asked& stream, const answered& said);

/// Ends the program when an id was answered more often than it was asked.
void check_ids(const asked& stream, const answered& said, std::string_view about);

} // namespace partyline::test
