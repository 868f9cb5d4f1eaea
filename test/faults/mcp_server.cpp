#include "mcp_server.hpp"

#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/server/listen_topic.hpp>
#include <partyline/mcp/server/requester.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

struct confirm {
    bool sure = false;
};
BOOST_DESCRIBE_STRUCT(confirm, (), (sure))

struct note_variables {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(note_variables, (), (date))

struct review_arguments {
    std::string code;
};
BOOST_DESCRIBE_STRUCT(review_arguments, (), (code))

// So long that whoever keeps it needs memory.
constexpr const char* words = "these are many words, so that whoever keeps them needs memory";

asio::awaitable<std::string> report(mcp::context& c, std::string text)
{
    co_await c.progress(1, 3, words);
    co_await c.log(mcp::log_level::warning, words, "report");
    co_await asio::post(c.get_executor(), asio::use_awaitable);
    co_await c.progress(2, 3, words);
    co_return text;
}

task<std::string> ask(mcp::context& c, std::string text)
{
    const std::string made = co_await c.once("made", [] { return std::string(words); });
    const auto answer = co_await c.elicit<confirm>("sure", "Sure of " + text + '?');
    co_return answer && answer->sure ? made : "not sure";
}

task<std::string> ask_twice(mcp::context& c, std::string text)
{
    const auto [answer, roots] =
        co_await c.ask(mcp::form<confirm>("sure", "Sure of " + text + '?'), mcp::roots("where"));
    co_return answer && answer->sure ? words + std::to_string(roots.size()) : "not sure";
}

task<std::map<std::string, std::string>> hop(mcp::context& c, std::string text)
{
    co_await asio::post(c.get_executor(), asio::deferred);
    co_return std::map<std::string, std::string>{{"text", std::move(text)}, {"words", words}};
}

// Uses its context to the last.
class said_at_the_end {
public:
    explicit said_at_the_end(mcp::context& c) noexcept : c_(c) {}
    ~said_at_the_end() { is_cancelled_ = c_.cancelled() && c_.revision() == mcp::newest_modern; }
    said_at_the_end(const said_at_the_end&) = delete;
    said_at_the_end& operator=(const said_at_the_end&) = delete;

private:
    mcp::context& c_;
    volatile bool is_cancelled_ = false;
};

task<void> wait(mcp::context& c)
{
    const said_at_the_end own(c);
    asio::steady_timer never(c.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::deferred);
}

std::string fail(std::string text)
{
    throw std::runtime_error("no, and in so many words that they need memory: " + text);
}

std::string read_note(note_variables note)
{
    if (note.date.size() != 10)
        throw mcp::resource_not_found();
    return std::string(words) + note.date;
}

std::vector<std::string> dates(std::string_view begun)
{
    return {std::string(begun) + "-11-24, " + words, words};
}

void add_tools(mcp::server& to, const asio::any_io_executor& elsewhere)
{
    mcp::tool_options offloaded;
    offloaded.run.executor = elsewhere;
    mcp::tool_options dropped;
    dropped.run.on_cancel = cancelled_task::dropped;
    mcp::tool_options hurried;
    hurried.run.deadline = std::chrono::milliseconds(1);
    to.add_tool("report", "Reports how far it is.", report, {{"text", "What it returns"}});
    to.add_tool("ask", "Asks the user.", ask, {{"text", "What about"}});
    to.add_tool("ask_twice", "Asks both at once.", ask_twice, {{"text", "What about"}});
    to.add_tool("hop", "Returns a structure.", hop, {{"text", "What is in it"}});
    to.add_tool("offloaded", "The same elsewhere.", hop, {{"text", "What is in it"}}, offloaded);
    to.add_tool("wait", "Waits to be cancelled.", wait);
    to.add_tool("drop", "The same, and is dropped.", wait, dropped);
    to.add_tool("late", "Takes too long.", wait, hurried);
    to.add_tool("fail", "Fails.", fail, {{"text", "What it says"}});
    to.add_tool("checked", "Takes what a schema says.",
                json_text(R"({"type":"object","properties":{"n":{"type":"integer","maximum":9}},"required":["n"]})"),
                [](json::object given) { return json::value(std::move(given)); });
}

task<request_result> pass_on(request_context& rpc, json_view, next_handler& next)
{
    request_result made = co_await next();
    co_await asio::post(rpc.get_executor(), asio::deferred);
    co_return made;
}

bool is_any_but_others(const request_context&, const std::string& key)
{
    return !key.starts_with("somebody else's");
}

// An extension, and a tool with middleware around it.
void add_extension(mcp::server& to)
{
    method_table methods;
    methods.add("jobs/list", [](request_context& rpc) {
        const std::optional<json::object> with = mcp::requester(rpc).extension("com.example/jobs");
        return json::object{{"jobs", json::array{words}}, {"with", with.value_or(json::object())}};
    });
    methods.add("jobs/wait",
                [](request_context& rpc, std::string text) -> task<json::object> {
                    co_await asio::post(rpc.get_executor(), asio::deferred);
                    co_return json::object{{"text", std::move(text)}};
                },
                {"text"});
    methods.add_notification("notifications/jobs/seen", [] {});
    const mcp::listen_topic states("jobIds", "notifications/jobs/state", {.may_listen = is_any_but_others});
    const mcp::listen_topic any("jobsChanged", "notifications/jobs/changed", {.kind = mcp::topic_kind::flag});
    methods.add("jobs/change", [states, any] {
        states.publish("a job with a name that needs memory", {{"words", words}, {"_meta", {{"more", words}}}});
        states.publish("another job", {{"words", words}});
        any.publish("");
    });
    to.add_extension("com.example/jobs", {{"words", words}}, std::move(methods),
                     {.needs_client = true, .topics = {states, any}});
    mcp::tool_options passed;
    passed.run.around_requests.add(pass_on);
    to.add_tool("passed", "Passes middleware.", hop, {{"text", "What is in it"}}, passed);
}

void add_others(mcp::server& to)
{
    to.add_resource("notes://all", "All notes", words, [] { return std::string(words); });
    to.add_resource("notes://more", "More notes", words, [] { return std::string(words); });
    to.add_resource_template("notes://of/{date}", "Notes", "The notes of a day.", read_note);
    to.add_prompt("review", "Has code reviewed.", [](review_arguments a) { return "Review " + a.code + ' ' + words; });
    to.complete("review", "code", dates);
    to.complete("notes://of/{date}", "date", dates);
}

// `change` adds a tool, and takes it away again; either is told.
void add_changing(const std::shared_ptr<mcp::server>& to)
{
    const auto added = std::make_shared<std::optional<mcp::feature_handle>>();
    const std::weak_ptr<mcp::server> there = to;
    to->add_tool("change", "Changes what there is.", [there, added] {
        if (*added)
            std::exchange(*added, std::nullopt)->remove();
        else
            *added = there.lock()->add_tool("added", words, [] { return std::string(words); });
    });
    to->add_tool("update", "Changes what is there.", [there] {
        there.lock()->resource_updated("notes://all");
        there.lock()->resource_updated("notes://of/2026-11-24, a day with a name that needs memory");
    });
}

} // namespace

served serve_mcp(session_options& options, asio::any_io_executor elsewhere)
{
    mcp::server_options about;
    about.page_size = 4;
    about.state_keys = mcp::state_keys({std::string(32, 'k')}); // what another run has signed is good in this one
    about.instructions = words;
    const auto server = std::make_shared<mcp::server>("faulty", "1.0.0", std::move(about));
    add_tools(*server, elsewhere);
    add_extension(*server);
    add_others(*server);
    add_changing(server);
    server->prepare(options);
    return {server->methods(), server};
}

} // namespace partyline::test
