#pragma once

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

enum class task_status : std::uint8_t { working, input_required, completed, failed, cancelled };

std::string_view to_string(task_status status) noexcept;

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
    /// The end: completed with a result or failed with an error, as JSON text (empty: an internal error), or cancelled.
    /// Nothing happens where it has ended.
    void on_end(task_status how, std::string outcome, task_time now) noexcept;

    /// The params by which the tool is called in this round.
    std::string round_params() const;
    /// When it is dropped, once it does not work any more.
    void expire_at(std::chrono::steady_clock::time_point when) noexcept { expires_ = when; }
    std::chrono::steady_clock::time_point expires() const noexcept
    {
        return expires_ ? *expires_ : std::chrono::steady_clock::time_point::max();
    }

    /// The members that a task has anyhow.
    boost::json::object describe(std::chrono::milliseconds poll_interval) const;
    /// The same with what has come of it: the result of `tasks/get`, as text.
    std::string detail(std::chrono::milliseconds poll_interval) const;

    /// Null where it does not work, or has not begun.
    std::weak_ptr<running_task> run;

private:
    // The tool's key is its beginning: what makes it another one is appended.
    struct open_question {
        std::string wire_key;
        std::size_t key_size;
        std::string request; // JSON text
    };

    std::string key_on_wire(const std::string& key, const std::set<std::string>& others) const;
    bool take_answer(const open_question& to, task_answers& from) noexcept;
    std::string open_requests() const;

    std::string id_;
    task_owner owner_;
    std::string params_;
    task_status status_ = task_status::working;
    unsigned round_ = 1;
    std::size_t bytes_;
    std::string message_;
    task_time created_;
    std::chrono::system_clock::time_point updated_;
    std::optional<std::chrono::steady_clock::time_point> expires_;

    std::set<std::string> used_keys_; // on the wire: no key stands for two questions
    std::size_t used_key_bytes_ = 0;
    std::vector<open_question> open_; // in the order in which the tool asks
    task_answers answers_;            // in this round, by the tool's keys
    std::string state_;               // JSON text

    std::string outcome_; // JSON text of the result, or of the error
};

} // namespace partyline::mcp
