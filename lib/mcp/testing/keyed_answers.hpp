#pragma once

#include "mcp/client/client_handlers.hpp"

#include <partyline/mcp/detail/test_answer.hpp>
#include <partyline/mcp/testing/test_records.hpp>
#include <partyline/session/task.hpp>

#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp {

/// What a request of the legacy era has in its `_meta` for the key of a question.
inline constexpr std::string_view question_key_name = "partyline/question";

/// Answers what a server asks by what a test has said, and knows what was asked and what was not answered.
///
/// What fails is told twice: to the server, by the `rpc_error` that is thrown, and to the test, by `take_failure()`. A
/// server of the legacy era may make something of the former.
class keyed_answers : public std::enable_shared_from_this<keyed_answers> {
public:
    void set(std::string key, detail::test_answer what);

    task<elicit_answer> answer_form(elicit_request asked);
    task<elicit_action> answer_page(page_request asked);
    task<sampling_answer> answer_sample(sample_request asked);
    std::vector<root> list_roots(const roots_request& asked);

    std::vector<std::string> unused() const;
    const std::vector<seen_question>& asked() const noexcept { return asked_; }
    /// What the test's functions are still busy with, in words behind "; "; empty for nothing.
    std::string open_text() const;
    bool has_failed() const noexcept { return failure_ != nullptr; }
    /// What was thrown first; null where nothing was.
    std::exception_ptr take_failure() noexcept { return std::exchange(failure_, nullptr); }

private:
    struct entry {
        detail::test_answer what;
        bool is_used = false;
    };
    class open_question;

    detail::test_answer find(const seen_question& question);
    template <class Answer, class Request>
    task<Answer> answer_by(std::shared_ptr<detail::answering_function<Answer, Request>> detail::test_answer::* kind,
                           seen_question question, Request asked);
    void fail() noexcept;

    std::map<std::string, entry> known_;
    std::vector<seen_question> asked_;
    std::multiset<std::string> open_;
    std::exception_ptr failure_;
};

} // namespace partyline::mcp
