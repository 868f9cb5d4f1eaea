#pragma once

#include "support/call_log.hpp"
#include "support/dialogue.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What became of a conversation.
struct session_record {
    std::vector<std::string> lines;          // that the peer has heard
    std::string tail;                        // and the line that was cut off
    std::set<std::string> sent;              // ids of the peer's requests
    std::set<std::string> started;           // ids of those whose handler was started
    std::vector<std::string> calls;          // what the session's own have come to, in order
    std::vector<std::string> handlers_calls; // and those that handlers have made and not awaited
    error_code result;                       // of async_run
    std::size_t steps = 0;
    bool has_struck = false;
    bool struck_read = false;
    std::vector<std::string> problems; // what must not happen, whatever the script and the fault
};

/// A scripted conversation whose stream may fail: what the peer says and does, in order. A script waits for nothing
/// that can't happen any more, so it always comes to its end.
///
/// Methods: echo (plain); wait (until the door opens); keep (the same, but a cancel makes it return "kept"); report
/// (progress 1, a notification, waits, progress 2); hop (suspends and goes on by itself); pool and pool_plain (on an
/// executor of their own); serial (waits, one at a time); limited (waits for ever, deadline 2 ms); big (n bytes). The
/// notification `note` waits, too. ask and pool_ask (on an executor of its own) call the peer's "question" and return
/// the text of its result, or "failed"; delegate calls it, too, and does not wait for it.
class scripted_session {
public:
    scripted_session(connection::kind what, fault planned);

    dialogue talk;
    gate door{talk.context};

    /// Says a line; its ids are taken down.
    void say(std::string line);
    /// Waits for these lines, in any order. Where nothing goes wrong they are what is said next.
    void expect(std::vector<std::string> lines);
    /// What is said when the door has been opened and the input has ended, in any order; only where nothing goes wrong.
    void expect_at_end(std::vector<std::string> lines) { at_end_ = std::move(lines); }
    /// Waits until so many handlers have come to the door in all.
    void arrive(int handlers);

    // What the session asks and tells; nothing once it has been destroyed.
    void call(std::string method, call_params params = nullptr, call_options options = {});
    void notify(std::string method, call_params params = nullptr);
    void batch(call_batch calls, call_options options = {});
    /// Cancels one of them, counted from 0.
    void abandon(std::size_t number);
    void close();
    /// Waits until so many of them have completed in all.
    void complete(std::size_t calls);

    /// Plays the conversation to its end: opens the door, ends the input, and takes everything down. Once.
    session_record finish();

private:
    class presence; // of a handler

    void add_methods();
    void add_waiting_methods();
    void add_asking_methods();
    void interrupt();
    bool is_input_cut() const;
    void wait_until(const std::function<bool()>& done);
    void check_lines();
    void check_prompt_end();
    void check_all_gone();

    session_record record_;
    std::vector<std::string> expected_;
    std::vector<std::string> at_end_;
    call_log calls_;
    call_log handlers_calls_;
    bool has_session_ = true;
    gate never_{talk.context};
    int present_ = 0;
};

/// A script by its name.
struct script {
    std::string name;
    std::function<void(scripted_session&)> act;
};

} // namespace partyline::test
