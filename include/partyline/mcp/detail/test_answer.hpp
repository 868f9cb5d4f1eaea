#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/detail/client_function.hpp>

#include <boost/describe/members.hpp>
#include <boost/json/object.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline::mcp::detail {

/// A test's answers to the kinds of questions: each of these may be null.
struct test_answer {
    std::shared_ptr<answering_function<elicit_answer, elicit_request>> form = {};
    std::shared_ptr<answering_function<elicit_action, page_request>> page = {};
    std::shared_ptr<answering_function<sampling_answer, sample_request>> sample = {};
    std::optional<std::vector<root>> roots = {};
    /// The form's answer is what the test has written: one that does not fit is its mistake.
    bool is_checked = true;
};

PARTYLINE_EXPORT test_answer answer_form(elicit_answer with);
PARTYLINE_EXPORT test_answer answer_with(elicit_action action);
PARTYLINE_EXPORT test_answer answer_sample(sampling_answer with);
PARTYLINE_EXPORT test_answer answer_sample(std::string text);

template <class T>
concept described_content = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

/// A function of a question, plain or a coroutine.
template <class F>
test_answer answer_by(F function)
{
    test_answer made;
    made.is_checked = false;
    if constexpr (std::is_invocable_v<F&, const elicit_request&>)
        made.form = bind_answering<elicit_answer, elicit_request>(std::move(function));
    else if constexpr (std::is_invocable_v<F&, const page_request&>)
        made.page = bind_answering<elicit_action, page_request>(std::move(function));
    else if constexpr (std::is_invocable_v<F&, const sample_request&>)
        made.sample = bind_answering<sampling_answer, sample_request>(std::move(function));
    else
        static_assert(sizeof(F) == 0, "an answer is the content of a form (a described struct or a json::object), an "
                                      "elicit_answer, an elicit_action, a sampling_answer or its text, a "
                                      "std::vector<root>, or a function of (const elicit_request&), "
                                      "(const page_request&) or (const sample_request&)");
    return made;
}

template <class T>
test_answer make_test_answer(T from)
{
    if constexpr (std::is_same_v<T, elicit_answer>)
        return answer_form(std::move(from));
    else if constexpr (std::is_same_v<T, elicit_action>)
        return answer_with(from);
    else if constexpr (std::is_same_v<T, sampling_answer>)
        return answer_sample(std::move(from));
    else if constexpr (std::is_convertible_v<T, std::string>)
        return answer_sample(std::string(std::move(from)));
    else if constexpr (std::is_same_v<T, std::vector<root>>) {
        test_answer made;
        made.roots = std::move(from);
        return made;
    } else if constexpr (std::is_same_v<T, boost::json::object> || described_content<T>)
        return answer_form(elicit_answer::accept(std::move(from)));
    else
        return answer_by(std::move(from));
}

} // namespace partyline::mcp::detail
