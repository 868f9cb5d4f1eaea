#include "reporter.hpp"

#include "pretty_json.hpp"
#include "reply_text.hpp"
#include "shown_line.hpp"

#include <cerrno>
#include <ostream>
#include <sstream>
#include <utility>

namespace call {

using partyline::errc;
using partyline::error_code;
using partyline::error_object;
using partyline::json_text;
using partyline::response;

namespace {

// Of these failures the library says what was wrong; of all others the details are what the server wrote before its
// end. (The category that the client of MCP has is not known here, where there may be none, but by its name.)
bool is_explained(error_code failed)
{
    return failed == errc::bad_reply || failed == errc::bad_header || failed == errc::message_too_large ||
           failed == errc::not_convertible || failed == errc::timeout || failed == errc::bad_params ||
           failed.category().name() == std::string_view("partyline.mcp.client");
}

} // namespace

void reporter::take(const request& call, error_code failed, const response& reply, duration latency)
{
    if (failed) {
        exit_status_.note(exit_status::no_reply);
        told_reason_ = failed.message();
        on_failure(call, told_reason_);
        tell_details(failed, reply.details());
    } else if (const error_object* const error = reply.error()) {
        exit_status_.note(exit_status::error_reply);
        on_error(call, *error, latency);
    } else if (is_failure_ && is_failure_(*reply)) {
        exit_status_.note(exit_status::error_reply);
        on_failed_result(call, *reply, latency);
    } else {
        on_result(call, *reply, latency);
    }
}

void reporter::tell_failure(const std::string& what, error_code failed, const response& reply, exit_status::code then)
{
    if (const error_object* const error = reply.error())
        return complain(what + ": " + error_words(*error, what), then);
    told_reason_ = failed.message();
    complain(what + ": " + told_reason_, then);
    tell_details(failed, reply.details());
}

void reporter::complain(std::string_view problem, exit_status::code what)
{
    exit_status_.note(what);
    status_output_->say("partyline-call: " + shown_line(problem));
}

void reporter::tell_end(const std::string& why)
{
    if (why != told_reason_)
        complain(why, exit_status::no_reply);
}

void reporter::on_failed_result(const request& call, const json_text& result, duration latency)
{
    on_result(call, result, latency);
}

void reporter::on_failure(const request& call, const std::string& why)
{
    complain(call.label.empty() ? why : call.label + ": " + why, exit_status::no_reply);
}

void reporter::print(std::string_view json)
{
    status_output_->clear_bar();
    write_json(*out_, json, style_);
    *out_ << '\n';
    flush();
}

void reporter::print_lines(std::string_view lines)
{
    status_output_->clear_bar();
    *out_ << lines;
    flush();
}

void reporter::tell_failed_result(std::string_view text)
{
    exit_status_.note(exit_status::error_reply);
    std::string lines = shown_lines(text, "");
    if (lines.ends_with('\n'))
        lines.pop_back();
    status_output_->say(lines.empty() ? "the tool has failed, and does not say why" : lines);
}

void reporter::flush()
{
    out_->flush();                // whoever reads it has it at once
    if (!*out_ && errno != EINTR) // that is for who handles the signal
        throw std::runtime_error("cannot write to standard output");
}

// All calls that one server leaves behind have the same to tell.
void reporter::tell_details(error_code failed, const std::string& details)
{
    if (details.empty() || std::exchange(told_details_, details) == details)
        return;
    if (has_child_ && !is_explained(failed))
        status_output_->say("the last lines of its standard error:");
    std::istringstream lines(details);
    for (std::string line; std::getline(lines, line);)
        status_output_->say("  " + shown_line(line));
}

void single_reporter::on_result(const request&, const json_text& result, duration)
{
    print(result.text());
}

void single_reporter::on_error(const request& call, const error_object& error, duration)
{
    on_screen().say(error_words(error, call.method));
}

void list_reporter::on_result(const request& call, const json_text& result, duration)
{
    print(result_line(call.label, result));
}

void list_reporter::on_error(const request& call, const error_object& error, duration)
{
    print(error_line(call.label, error));
}

void summary_reporter::on_result(const request&, const json_text&, duration latency)
{
    summary_.add_result(latency);
}

void summary_reporter::on_error(const request& call, const error_object& error, duration latency)
{
    summary_.add_error_reply(latency);
    if (!std::exchange(has_told_error_, true))
        on_screen().say(error_words(error, call.method));
}

void summary_reporter::on_failed_result(const request&, const json_text&, duration latency)
{
    summary_.add_error_reply(latency);
}

void summary_reporter::on_failure(const request& call, const std::string& why)
{
    summary_.add_failure();
    if (!std::exchange(has_told_failure_, true))
        reporter::on_failure(call, why);
}

void summary_reporter::finish(duration total)
{
    on_screen().say(summary_.to_text(total));
}

} // namespace call
