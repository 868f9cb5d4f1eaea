#include "message_watch.hpp"

#include "call/output/shown_line.hpp"
#include "command_line/trace.hpp"

#include <partyline/protocol/message.hpp>
#include <partyline/protocol/printable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace call {
namespace {

using partyline::message_event;
using partyline::printable;

// Shown as one reads it: enough to recognise it by.
std::string opening_of(std::string_view text)
{
    constexpr std::size_t longest = 200;
    return printable(text, longest);
}

// Shows messages of one kind, and after ten of them nothing more: a server that logs to its standard output, or a
// program that is no server, would fill the terminal.
class bounded_report {
public:
    bounded_report(const char* what, const char* more) : what_(what), more_(more) {}

    void tell(std::string_view text, status_output& told)
    {
        constexpr int most = 10;
        if (count_ > most)
            return;
        if (count_++ < most)
            told.say("partyline-call: the server sent " + std::string(what_) + ": '" + opening_of(text) + "'");
        else
            told.say("partyline-call: the server sent " + std::string(more_));
    }

private:
    const char* what_;
    const char* more_;
    int count_ = 0;
};

// JSON-RPC 2.0 §5: the peer could not read the id of what it answers so.
bool is_error_without_id(const message_event& event)
{
    return event.type == partyline::message_type::reply && event.is_error && event.id == "null";
}

bool is_shown_otherwise(std::string_view method)
{
    return method == "$/progress" || method == "notifications/progress" || method == "notifications/message";
}

std::string notification_line(const message_event& event, partyline::message_reader& reader)
{
    const std::string text(event.text); // a NUL follows it, as the reader needs it
    const partyline::message& read = reader.read(text);
    std::string line = "notification " + std::string(event.method);
    if (!read.params.empty())
        line.append(" ").append(read.params.text());
    return shown_line(line);
}

} // namespace

partyline::message_hook watch_messages(const watch_options& wanted, const partyline::limits& bounds,
                                       status_output& told)
{
    partyline::message_hook trace;
    if (!wanted.trace_file.empty())
        trace = command_line::trace_to_file(wanted.trace_file, [&told](std::string_view problem) {
            told.say("partyline-call: " + shown_line(problem));
        });
    const auto reader = std::make_shared<partyline::message_reader>(bounds);
    return [trace, reader, &told, rubbish = bounded_report("what is no message", "more that is no message"),
            errors = bounded_report("an error that names no call", "more errors that name no call"),
            shows = wanted.shows_notifications](
               const message_event& event) mutable -> std::optional<partyline::error_object> {
        if (trace)
            trace(event);
        if (event.direction == partyline::message_direction::out)
            return std::nullopt;
        if (event.type == partyline::message_type::bad)
            rubbish.tell(event.text, told);
        else if (is_error_without_id(event))
            errors.tell(event.text, told);
        else if (shows && event.type == partyline::message_type::notification && !is_shown_otherwise(event.method))
            told.say(notification_line(event, *reader));
        return std::nullopt;
    };
}

} // namespace call
