#pragma once

#include "call/duration.hpp"
#include "call/input/request.hpp"
#include "exit_status.hpp"
#include "latency_summary.hpp"
#include "result_style.hpp"
#include "status_output.hpp"

#include <partyline/session/call_result.hpp>

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace call {

/// Tells the user what calls came to. What is told of a result depends on how the calls were asked for.
class reporter {
public:
    /// Results go to `out`, everything else to `status_output`.
    reporter(std::ostream& out, result_style style, status_output& status_output)
        : out_(&out), style_(style), status_output_(&status_output)
    {
    }
    virtual ~reporter() = default;

    /// Results of which it says so tell of a failure; they count as error replies do.
    void judge_results(std::function<bool(const partyline::json_text&)> is_failure)
    {
        is_failure_ = std::move(is_failure);
    }

    /// What is known besides of a call that has failed is the output of a server that was started.
    void expect_output_of_child() { has_child_ = true; }

    void take(const request& call, partyline::error_code failed, const partyline::response& reply, duration latency);
    /// Something that was asked of the server, but not by the user, has failed, here or by an error reply.
    void tell_failure(const std::string& what, partyline::error_code failed, const partyline::response& reply,
                      exit_status::code then);
    /// Something else that went wrong.
    void complain(std::string_view problem, exit_status::code what);
    /// Whether a call has failed here, other than by an error reply.
    bool has_failures() const noexcept { return !told_reason_.empty(); }
    /// The conversation has ended before its time: told unless that is what calls have failed with.
    void tell_end(const std::string& why);
    void note_signal(int number) { exit_status_.note_signal(number); }

    /// All has been made; that took `total`.
    virtual void finish(duration total) { static_cast<void>(total); }

    /// Prints lines that are no JSON, as they are.
    void print_lines(std::string_view lines);
    void print(std::string_view json);
    /// Whether what is printed is for a person: then it is to be made safe for a terminal.
    bool prints_for_person() const noexcept { return style_ != result_style::exact; }
    /// What the server says of a failure of its own, in lines.
    void tell_failed_result(std::string_view text);

    int exit_code() const noexcept { return exit_status_.exit_code(); }

protected:
    virtual void on_result(const request& call, const partyline::json_text& result, duration latency) = 0;
    virtual void on_error(const request& call, const partyline::error_object& error, duration latency) = 0;
    virtual void on_failed_result(const request& call, const partyline::json_text& result, duration latency);
    virtual void on_failure(const request& call, const std::string& why);

    status_output& on_screen() { return *status_output_; }

private:
    void flush();
    void tell_details(partyline::error_code failed, const std::string& details);

    std::ostream* out_;
    result_style style_;
    status_output* status_output_;
    exit_status exit_status_;
    std::string told_reason_;
    std::string told_details_;
    bool has_child_ = false;
    std::function<bool(const partyline::json_text&)> is_failure_;
};

/// Of the only call: its result, or its error in words.
class single_reporter final : public reporter {
public:
    using reporter::reporter;

private:
    void on_result(const request& call, const partyline::json_text& result, duration latency) override;
    void on_error(const request& call, const partyline::error_object& error, duration latency) override;
};

/// Of many: whole replies, each under its label.
class list_reporter final : public reporter {
public:
    using reporter::reporter;

private:
    void on_result(const request& call, const partyline::json_text& result, duration latency) override;
    void on_error(const request& call, const partyline::error_object& error, duration latency) override;
};

/// Of one that is repeated: what it takes, and the first thing that went wrong.
class summary_reporter final : public reporter {
public:
    using reporter::reporter;
    void finish(duration total) override;

private:
    void on_result(const request& call, const partyline::json_text& result, duration latency) override;
    void on_error(const request& call, const partyline::error_object& error, duration latency) override;
    void on_failed_result(const request& call, const partyline::json_text& result, duration latency) override;
    void on_failure(const request& call, const std::string& why) override;

    latency_summary summary_;
    bool has_told_error_ = false;
    bool has_told_failure_ = false;
};

} // namespace call
