#include "form_dialogue.hpp"

#include "call/methods/signature.hpp"
#include "call/output/shown_line.hpp"

#include <utility>

namespace call {

using partyline::mcp::elicit_answer;

form_dialogue::form_dialogue(const std::string& who, const partyline::mcp::elicit_request& asked)
    : who_(shown_line(who)), message_(asked.message), fields_(read_form(asked.schema))
{
}

std::string form_dialogue::begin()
{
    std::string text = who_ + " asks:\n" + shown_lines(message_, "  ");
    if (!fields_.empty())
        text += "(!decline and !cancel end this without an answer.)\n";
    return text + next();
}

std::string form_dialogue::take(std::string_view line)
{
    if (line == "!decline")
        return end(elicit_answer::decline());
    if (line == "!cancel")
        return end(elicit_answer::cancel());
    return current_ < fields_.size() ? take_value(line) : take_decision(line);
}

std::string form_dialogue::take_end()
{
    return '\n' + end(elicit_answer::cancel());
}

std::string form_dialogue::next()
{
    return current_ < fields_.size() ? question_of(fields_[current_]) : review();
}

// Nothing is sent that the user has not seen as a whole.
std::string form_dialogue::review() const
{
    std::string text = content_.empty() ? "No values are sent to " + who_ + ", only that you accept.\n"
                                        : "To be sent to " + who_ + ":\n";
    for (const auto& [name, value] : content_)
        text += "  " + shown_line(name) + ": " + json_words(value) + '\n';
    return text + "Send it? (yes, no: decline, again, cancel): ";
}

std::string form_dialogue::take_value(std::string_view line)
{
    const form_field& field = fields_[current_];
    typed_value typed = read_typed(field, line);
    if (!typed.problem.empty())
        return shown_line(field.name) + ": " + typed.problem + '\n' + question_of(field);
    if (typed.value)
        content_[field.name] = *std::move(typed.value);
    ++current_;
    return next();
}

std::string form_dialogue::take_decision(std::string_view line)
{
    if (line == "y" || line == "yes")
        return end(elicit_answer::accept(content_));
    if (line == "n" || line == "no")
        return end(elicit_answer::decline());
    if (line == "c" || line == "cancel")
        return end(elicit_answer::cancel());
    if (line == "a" || line == "again") {
        content_.clear();
        current_ = 0;
    }
    return next();
}

std::string form_dialogue::end(elicit_answer with)
{
    is_done_ = true;
    answer_ = std::move(with);
    return {};
}

} // namespace call
