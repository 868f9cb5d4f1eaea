#pragma once

#include <partyline/mcp/client/client_questions.hpp>

#include <string>
#include <string_view>

namespace call {

/// Asks on a terminal whether the user agrees to a page, which the user opens. Nothing is opened or fetched here. No
/// I/O.
///
/// Flow: as `form_dialogue`.
class page_dialogue {
public:
    page_dialogue(const std::string& who, const partyline::mcp::page_request& asked);

    std::string begin();
    std::string take(std::string_view line);
    std::string take_end();

    bool is_done() const noexcept { return is_done_; }
    partyline::mcp::elicit_action answer() const noexcept { return answer_; }

private:
    std::string end(partyline::mcp::elicit_action with);

    std::string text_;
    bool is_done_ = false;
    partyline::mcp::elicit_action answer_ = partyline::mcp::elicit_action::cancel;
};

} // namespace call
