#include "mcp/testing/keyed_answers.hpp"

#include "mcp/schema/schema.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <optional>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t longest_shown_text = 200;

std::string key_of(const std::string& known, const json::object& params)
{
    const json::value* const meta = params.if_contains("_meta");
    const json::object* const members = meta ? meta->if_object() : nullptr;
    const json::value* const told = members ? members->if_contains(question_key_name) : nullptr;
    return known.empty() && told && told->is_string() ? std::string(told->get_string()) : known;
}

[[noreturn]] void throw_unanswered(const seen_question& asked, const std::string& why)
{
    const std::string name = asked.key.empty() ? "without a key" : '"' + printable(asked.key, longest_shown_text) + '"';
    const std::string words = asked.message.empty() ? "" : ": \"" + printable(asked.message, longest_shown_text) + '"';
    throw unanswered_question(asked, "the server asks " + name + " (" + asked.kind + ")" + words + "; " + why);
}

// A schema that is not known here can't be held against an answer.
std::optional<schema> schema_of(const elicit_request& asked)
{
    try {
        return schema::compile(asked.schema);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

void check_content(const seen_question& question, const elicit_request& asked, const elicit_answer& with)
{
    const std::optional<schema> wanted = schema_of(asked);
    if (with.action() != elicit_action::accept || !wanted)
        return;
    const std::vector<mismatch> wrong = wanted->check(with.content());
    if (!wrong.empty())
        throw_unanswered(question, "the answer does not fit: at \"" + wrong.front().where + "\": expected " +
                                       wrong.front().expected + ", got " + wrong.front().got);
}

template <class Request>
void check_answer(const seen_question&, const Request&, const auto&)
{
}
void check_answer(const seen_question& question, const elicit_request& asked, const elicit_answer& with)
{
    check_content(question, asked, with);
}

} // namespace

/// A question while a function of the test is busy with it.
class keyed_answers::open_question {
public:
    open_question(std::multiset<std::string>& of, const std::string& key) : of_(of), place_(of.insert(key)) {}
    ~open_question() { of_.erase(place_); }
    open_question(const open_question&) = delete;
    open_question& operator=(const open_question&) = delete;

private:
    std::multiset<std::string>& of_;
    const std::multiset<std::string>::iterator place_;
};

void keyed_answers::set(std::string key, detail::test_answer what)
{
    known_.insert_or_assign(std::move(key), entry{std::move(what)});
}

detail::test_answer keyed_answers::find(const seen_question& question)
{
    asked_.push_back(question);
    const auto found = known_.find(question.key);
    if (found == known_.end())
        throw_unanswered(question, "test_client::answer has been given none for that");
    found->second.is_used = true;
    return found->second.what;
}

// Of a call that is cancelled nobody wants to hear.
void keyed_answers::fail() noexcept
{
    try {
        throw;
    } catch (const boost::system::system_error& thrown) {
        if (thrown.code() == boost::asio::error::operation_aborted)
            return;
    } catch (...) {
    }
    if (!failure_)
        failure_ = std::current_exception();
}

template <class Answer, class Request>
task<Answer>
keyed_answers::answer_by(std::shared_ptr<detail::answering_function<Answer, Request>> detail::test_answer::* kind,
                         seen_question question, Request asked)
{
    const std::shared_ptr<keyed_answers> hold = shared_from_this();
    const open_question open(open_, question.key);
    try {
        const detail::test_answer with = find(question);
        const auto function = with.*kind;
        if (!function)
            throw_unanswered(question, "the answer that test_client::answer was given is to something else");
        Answer made = co_await function->answer(asked);
        if (with.is_checked)
            check_answer(question, asked, made);
        co_return made;
    } catch (const rpc_error&) { // refuses it, as a client may
        throw;
    } catch (const std::exception& failed) {
        fail();
        throw rpc_error(partyline::error_codes::internal_error, exception_text(failed));
    } catch (...) {
        fail();
        throw rpc_error(partyline::error_codes::internal_error, "the answer threw what is no std::exception");
    }
}

task<elicit_answer> keyed_answers::answer_form(elicit_request asked)
{
    seen_question question{key_of(asked.key, asked.raw), "form", asked.message};
    return answer_by(&detail::test_answer::form, std::move(question), std::move(asked));
}

task<elicit_action> keyed_answers::answer_page(page_request asked)
{
    seen_question question{key_of(asked.key, asked.raw), "page", asked.message};
    return answer_by(&detail::test_answer::page, std::move(question), std::move(asked));
}

task<sampling_answer> keyed_answers::answer_sample(sample_request asked)
{
    seen_question question{key_of(asked.key, asked.raw), "sampling", asked.text()};
    return answer_by(&detail::test_answer::sample, std::move(question), std::move(asked));
}

std::vector<root> keyed_answers::list_roots(const roots_request& asked)
{
    const seen_question question{key_of(asked.key, asked.raw), "roots", {}};
    try {
        const detail::test_answer with = find(question);
        if (!with.roots)
            throw_unanswered(question, "the answer that test_client::answer was given is to something else");
        return *with.roots;
    } catch (const unanswered_question& failed) {
        fail();
        throw rpc_error(partyline::error_codes::internal_error, failed.what());
    }
}

std::vector<std::string> keyed_answers::unused() const
{
    std::vector<std::string> keys;
    for (const auto& [key, one] : known_)
        if (!one.is_used)
            keys.push_back(key);
    return keys;
}

std::string keyed_answers::open_text() const
{
    std::string text;
    for (const std::string& key : open_)
        text += (text.empty() ? "; the client has not answered \"" : ", \"") + printable(key, longest_shown_text) + '"';
    return text;
}

} // namespace partyline::mcp
