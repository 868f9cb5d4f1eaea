#pragma once

#include "mcp_extensions/tasks/task_detail.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// Both clocks at one moment.
struct task_time {
    std::chrono::steady_clock::time_point steady = {};
    std::chrono::system_clock::time_point wall = {};

    static task_time now() noexcept { return {std::chrono::steady_clock::now(), std::chrono::system_clock::now()}; }
};

/// Whose a task is.
struct task_owner {
    std::string source;
    std::string principal;

    auto operator<=>(const task_owner&) const = default;
};

/// Why a task has failed whose tool has neither returned nor failed.
enum class task_loss : std::uint8_t {
    no_memory,      ///< for what the tool has returned
    not_called,     ///< the tool could not be called with the answers
    abandoned,      ///< what the tool ran on has been destroyed, or there was no memory to go on
    no_reply,       ///< the session in which the tool ran has ended
    internal_error, ///< what the tool has returned could not be read
};

/// What the client is told of it: a literal.
std::string_view to_message(task_loss why) noexcept;

/// What runs a task.
class running_task {
public:
    virtual ~running_task() = default;
    /// May be called from any thread.
    virtual void cancel() noexcept = 0;
};

/// One of the questions that a tool asks in place of a result.
struct task_question {
    std::string key;     // the tool's; no two are equal
    std::string request; // JSON text
};

/// What a tool asks in place of a result.
struct task_questions {
    std::vector<task_question> requests;
    std::string state; // JSON text; empty: there is none
};

/// What a client answers: JSON texts by the keys of the questions.
using task_answers = std::map<std::string, std::string>;

/// By which params a tool is called again.
struct task_round {
    unsigned number;
    shared_text params; // of the first call
    task_answers answers;
    std::string state; // JSON text; empty: there is none

    /// The params as text.
    std::string text() const;
};

/// A task: what has become of it, and what is to be told of it.
///
/// Flow: works, asks, works again with the answers, ..., and ends once, for good.
class task_record {
public:
    /// `params` are those of the call, as text of an object.
    task_record(std::string id, task_owner owner, std::string params, task_time now);

    const std::string& id() const noexcept { return id_; }
    const task_owner& owner() const noexcept { return owner_; }
    task_status status() const noexcept { return status_; }
    bool has_ended() const noexcept { return status_ > task_status::input_required; }
    /// How often the tool has been called, this time included.
    unsigned round() const noexcept { return round_; }
    /// The memory that all of it takes, roughly.
    std::size_t bytes() const noexcept { return bytes_; }

    // What happens. Strong guarantee, each.

    /// The tool tells how far it is. Nothing happens where it has ended.
    void on_message(std::string_view message, task_time now);
    /// The tool, which works, asks. Returns false where it has asked too often.
    bool on_asked(task_questions asked, task_time now);
    /// The bytes of those answers that are for what is asked.
    std::size_t bytes_of(const task_answers& answers) const noexcept;
    /// The client answers: those that are for what is asked are taken out of `answers`. Returns true where nothing is
    /// left to be asked: the task works again, in the next round.
    bool on_answers(task_answers& answers, task_time now) noexcept;
    /// The end: completed with a result or failed with an error, as JSON text (null: an internal error), or cancelled.
    /// Nothing happens where it has ended.
    void on_end(task_status how, shared_text outcome, task_time now) noexcept;
    /// The end for want of an outcome: it has failed, and says why. Nothing happens where it has ended.
    void on_lost(task_loss why, task_time now) noexcept;

    /// By which params the tool is called in this round, which is not the first one. Once in a round: the answers are
    /// handed over, and still count among `bytes()`.
    task_round take_round() noexcept;
    /// When it is dropped, once it does not work any more.
    void expire_at(std::chrono::steady_clock::time_point when) noexcept { expires_ = when; }
    std::chrono::steady_clock::time_point expires() const noexcept
    {
        return expires_ ? *expires_ : std::chrono::steady_clock::time_point::max();
    }

    /// The members that a task has anyhow.
    boost::json::object describe(std::chrono::milliseconds poll_interval) const;
    /// The same with what has come of it, for `tasks/get`.
    task_detail detail(std::chrono::milliseconds poll_interval) const;

    /// Null where it does not work, or has not begun.
    std::weak_ptr<running_task> run;

private:
    // The tool's key is its beginning: what makes it another one is appended.
    struct open_question {
        std::string wire_key;
        std::size_t key_size;
        shared_text request;
    };

    std::string key_on_wire(const std::string& key, const std::set<std::string>& others) const;
    bool take_answer(const open_question& to, task_answers& from) noexcept;

    std::string id_;
    task_owner owner_;
    shared_text params_;
    task_status status_ = task_status::working;
    unsigned round_ = 1;
    std::size_t bytes_;
    std::string message_;
    std::optional<task_loss> loss_; // told in place of the message
    task_time created_;
    std::chrono::system_clock::time_point updated_;
    std::optional<std::chrono::steady_clock::time_point> expires_;

    std::set<std::string> used_keys_; // on the wire: no key stands for two questions
    std::size_t used_key_bytes_ = 0;
    std::vector<open_question> open_; // in the order in which the tool asks
    task_answers answers_;            // in this round, by the tool's keys
    std::string state_;               // JSON text

    shared_text outcome_; // the result, or the error
};

} // namespace partyline::mcp
