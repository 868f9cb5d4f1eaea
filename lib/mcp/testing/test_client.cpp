#include <partyline/mcp/testing/test_client.hpp>

#include "mcp/answers/read_lists.hpp"
#include "mcp/client/lists.hpp"
#include "mcp/client/requests.hpp"
#include "mcp/testing/served_client.hpp"
#include "mcp/wire/methods.hpp"

#include <stdexcept>

namespace partyline::mcp {
namespace detail {

void test_operation::wait()
{
    const std::shared_ptr<served_client> owner = owner_.lock();
    if (!owner && !is_done())
        throw std::logic_error("the test client of " + what_ + " is gone");
    if (owner)
        owner->wait_for(*this);
}

void test_operation::refuse_result() const
{
    throw partyline::test::unexpected_result(what_ + " was answered with a result, not with an error");
}

test_answer answer_form(elicit_answer with)
{
    test_answer made;
    made.form = bind_answering<elicit_answer, elicit_request>(
        [answer = std::move(with)](const elicit_request&) { return answer; });
    return made;
}

test_answer answer_with(elicit_action action)
{
    elicit_answer form = action == elicit_action::accept    ? elicit_answer::accept(boost::json::object())
                         : action == elicit_action::decline ? elicit_answer::decline()
                                                            : elicit_answer::cancel();
    test_answer made = answer_form(std::move(form));
    made.page = bind_answering<elicit_action, page_request>([action](const page_request&) { return action; });
    return made;
}

test_answer answer_sample(sampling_answer with)
{
    test_answer made;
    made.sample = bind_answering<sampling_answer, sample_request>(
        [answer = std::move(with)](const sample_request&) { return answer; });
    return made;
}

test_answer answer_sample(std::string text)
{
    sampling_answer said;
    said.model = "test";
    said.content = boost::json::object{{"type", "text"}, {"text", text}};
    return answer_sample(std::move(said));
}

} // namespace detail

namespace {

template <listed T>
std::vector<T> list_whole(served_client& by)
{
    return by.run<std::vector<T>>(std::string(list_method<T>()), list_all<T>(by.client()));
}

std::string in_quotes(std::string_view method, const std::string& name)
{
    return std::string(method) + " \"" + name + '"';
}

} // namespace

test_client::test_client(const mcp::server& of, mcp::era how, test_client_options options)
    : served_(std::make_shared<served_client>(of, how, std::move(options)))
{
    served_->start();
}

test_client::test_client(test_client&&) noexcept = default;
test_client& test_client::operator=(test_client&&) noexcept = default;
test_client::~test_client() = default;

served_client& test_client::served() const
{
    if (!served_)
        throw std::logic_error("this test client was moved from");
    return *served_;
}

void test_client::set_answer(std::string key, detail::test_answer what)
{
    served().records().answers->set(std::move(key), std::move(what));
}

std::vector<std::string> test_client::unused_answers() const
{
    return served().records().answers->unused();
}

const std::vector<seen_question>& test_client::questions() const
{
    return served().records().answers->asked();
}

pending_answer<tool_answer> test_client::start_call(std::string tool, call_params arguments, call_hooks hooks)
{
    served_client& by = served();
    return pending_answer<tool_answer>(
        by.begin_call<tool_answer>(std::string(methods::call_tool), tool, std::move(hooks), [&](call_hooks recorded) {
            return call_tool(by.client(), std::move(tool), std::move(arguments), std::move(recorded));
        }));
}

pending_answer<json_text> test_client::start_request(std::string method, call_params params, call_hooks hooks)
{
    served_client& by = served();
    return pending_answer<json_text>(by.begin_call<json_text>(method, {}, std::move(hooks), [&](call_hooks recorded) {
        return mcp::request(by.client(), std::move(method), std::move(params), std::move(recorded));
    }));
}

std::vector<tool_info> test_client::tools()
{
    return list_whole<tool_info>(served());
}

std::vector<resource_info> test_client::resources()
{
    return list_whole<resource_info>(served());
}

std::vector<resource_template_info> test_client::templates()
{
    return list_whole<resource_template_info>(served());
}

std::vector<prompt_info> test_client::prompts()
{
    return list_whole<prompt_info>(served());
}

template <listed T>
page<T> test_client::list(std::optional<std::string> cursor)
{
    return served().run<page<T>>(std::string(list_method<T>()), mcp::list<T>(served().client(), std::move(cursor)));
}

template page<tool_info> test_client::list(std::optional<std::string>);
template page<resource_info> test_client::list(std::optional<std::string>);
template page<resource_template_info> test_client::list(std::optional<std::string>);
template page<prompt_info> test_client::list(std::optional<std::string>);

resource_answer test_client::read_resource(std::string uri, call_hooks hooks)
{
    served_client& by = served();
    return pending_answer<resource_answer>(
               by.begin_call<resource_answer>(std::string(methods::read_resource), uri, std::move(hooks),
                                              [&](call_hooks recorded) {
                                                  return mcp::read_resource(by.client(), std::move(uri),
                                                                            std::move(recorded));
                                              }))
        .get();
}

prompt_answer test_client::get_prompt(std::string name, call_params arguments, call_hooks hooks)
{
    served_client& by = served();
    return pending_answer<prompt_answer>(
               by.begin_call<prompt_answer>(std::string(methods::get_prompt), name, std::move(hooks),
                                            [&](call_hooks recorded) {
                                                return mcp::get_prompt(by.client(), std::move(name),
                                                                       std::move(arguments), std::move(recorded));
                                            }))
        .get();
}

completion_answer test_client::complete(completion_target of, std::string argument, std::string value,
                                        std::map<std::string, std::string> known)
{
    std::string what = in_quotes(methods::complete, of.name);
    return served().run<completion_answer>(
        std::move(what),
        mcp::complete(served().client(), std::move(of), std::move(argument), std::move(value), std::move(known)));
}

void test_client::subscribe(std::string uri)
{
    std::string what = in_quotes(methods::subscribe, uri);
    served().run<void>(std::move(what), mcp::subscribe(served().client(), std::move(uri)));
    served().run_until_idle(); // what the server tells along with it has come then
}

void test_client::unsubscribe(std::string uri)
{
    std::string what = in_quotes(methods::unsubscribe, uri);
    served().run<void>(std::move(what), mcp::unsubscribe(served().client(), std::move(uri)));
    served().run_until_idle(); // the server has heard of it then: from 2026-07-28 on nothing is answered
}

void test_client::set_log_level(log_level level)
{
    served().run<void>(std::string(methods::set_log_level), mcp::set_log_level(served().client(), level));
}

void test_client::ping()
{
    served().run<void>(std::string(methods::ping), mcp::ping(served().client()));
}

const server_info& test_client::server() const
{
    return served().client()->server();
}

const std::vector<log_entry>& test_client::logged() const
{
    return served().records().logged;
}

const std::vector<seen_progress>& test_client::progress() const
{
    return served().records().progress;
}

const seen_changes& test_client::changes() const
{
    return served().records().changes;
}

const std::vector<seen_message>& test_client::messages() const
{
    return served().records().messages.all();
}

std::vector<std::string> test_client::schema_problems() const
{
    return served().records().messages.problems(revision());
}

void test_client::run_until_idle()
{
    served().run_until_idle();
}

void test_client::run_until(const std::function<bool()>& predicate)
{
    served().run_until(predicate);
}

error_code test_client::end()
{
    return served().end();
}

boost::asio::any_io_executor test_client::get_executor() const
{
    return served().loop.context().get_executor();
}

void test_client::set_time_limit(std::chrono::steady_clock::duration most)
{
    served().loop.time_limit = most;
}

} // namespace partyline::mcp
