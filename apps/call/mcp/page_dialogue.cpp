#include "page_dialogue.hpp"

#include "call/output/shown_line.hpp"

#include <partyline/protocol/printable.hpp>

namespace call {
namespace {

using partyline::mcp::elicit_action;

constexpr std::string_view agreement = "Do you agree? (yes, no: decline, cancel): ";

} // namespace

// The address in full, however long: what is cut can't be judged.
page_dialogue::page_dialogue(const std::string& who, const partyline::mcp::page_request& asked)
    : text_(shown_line(who) + " asks you to open a page:\n" + shown_lines(asked.message, "  ") + "  " +
            partyline::printable(asked.url) + "\nIt is not opened here: open it yourself if you trust this address.\n" +
            std::string(agreement))
{
}

std::string page_dialogue::begin()
{
    return text_;
}

std::string page_dialogue::take(std::string_view line)
{
    if (line == "y" || line == "yes")
        return end(elicit_action::accept);
    if (line == "n" || line == "no" || line == "!decline")
        return end(elicit_action::decline);
    if (line == "c" || line == "cancel" || line == "!cancel")
        return end(elicit_action::cancel);
    return std::string(agreement);
}

std::string page_dialogue::take_end()
{
    return '\n' + end(elicit_action::cancel);
}

std::string page_dialogue::end(elicit_action with)
{
    is_done_ = true;
    answer_ = with;
    return {};
}

} // namespace call
