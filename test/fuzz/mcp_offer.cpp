#include "fuzz/mcp_offer.hpp"

#include <partyline/mcp/mcp.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>

#include <optional>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

struct confirm {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirm, (), (yes))

enum class tone { kind, curt };
BOOST_DESCRIBE_ENUM(tone, kind, curt)

struct greeting_arguments {
    std::string name;
    std::optional<tone> how;
};
BOOST_DESCRIBE_STRUCT(greeting_arguments, (), (name, how))

struct note_variables {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(note_variables, (), (name))

task<std::string> ask(mcp::context& c)
{
    const int made = co_await c.once("made", [] { return 1; });
    const auto first = co_await c.elicit<confirm>("first", "Sure?");
    const auto [second, where] = co_await c.ask(mcp::form<confirm>("second", "Really?"), mcp::roots("where"));
    co_return first&& second ? std::to_string(made + static_cast<int>(where.size())) : "no";
}

task<int> step(mcp::context& c)
{
    const int at = c.state<int>().value_or(0);
    c.set_state(at + 1);
    const auto answer = co_await c.elicit<confirm>("again", "Again?");
    co_return answer && answer->yes ? at : -c.round();
}

task<int> report(mcp::context& c, int times)
{
    for (int i = 1; i <= times && i <= 5; ++i) {
        co_await c.progress(i, times, "on");
        co_await c.log(mcp::log_level::info, "on");
        co_await asio::post(c.get_executor(), asio::deferred);
    }
    co_return times;
}

// Ends with its request's cancel, or with the session.
task<void> wait(mcp::context& c)
{
    asio::steady_timer never(c.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::deferred);
}

task<std::string> late(mcp::context& c)
{
    asio::steady_timer never(c.get_executor(), asio::steady_timer::time_point::max());
    co_await never.async_wait(asio::as_tuple(asio::deferred));
    co_return "late";
}

std::string read_note(note_variables note)
{
    if (note.name == "none")
        throw mcp::resource_not_found();
    return note.name;
}

void add_tools(mcp::server& to)
{
    mcp::tool_options dropped;
    dropped.run.on_cancel = cancelled_task::dropped;
    mcp::tool_options alone;
    alone.run.exclusive = true;
    to.add_tool("echo", "Echoes", [](std::string text) { return text; }, {{"text", "What"}});
    to.add_tool("fail", "Fails", [] { throw std::runtime_error("on purpose"); });
    to.add_tool("ask", "Asks", ask);
    to.add_tool("step", "Goes on", step, alone);
    to.add_tool("report", "Reports", report, {{"times", "How often"}});
    to.add_tool("wait", "Waits", wait);
    to.add_tool("drop", "Waits", wait, dropped);
    to.add_tool("late", "Waits, and answers", late);
    to.add_tool("raw", "Checks", json_text(R"({"type":"object","properties":{"n":{"type":"integer","maximum":9}}})"),
                [](boost::json::object given) { return boost::json::value(std::move(given)); });
}

// While sessions run.
void add_changing(const std::shared_ptr<mcp::server>& to)
{
    const auto added = std::make_shared<std::optional<mcp::feature_handle>>();
    const std::weak_ptr<mcp::server> there = to;
    to->add_tool("change", "Changes", [there, added] {
        if (*added)
            std::exchange(*added, std::nullopt)->remove();
        else
            *added = there.lock()->add_tool("added", "Is new", wait);
    });
    to->add_tool("update", "Changes", [there](std::string uri) { there.lock()->resource_updated(std::move(uri)); },
                 {{"uri", "Of what"}});
}

} // namespace

std::shared_ptr<mcp::server> make_mcp_offer()
{
    mcp::server_options about;
    about.page_size = 3;
    about.max_subscriptions = 2;
    about.max_listeners = 2;
    about.state_keys = mcp::state_keys({std::string(32, 'k')});
    const auto made = std::make_shared<mcp::server>("fuzz", "1", std::move(about));
    add_tools(*made);
    made->add_resource("notes://a", "A", "One", [] { return "a"; });
    made->add_resource_template("notes://{name}/text", "Notes", "All", read_note);
    made->add_prompt("greet", "Greets", [](greeting_arguments a) { return "Greet " + a.name; });
    made->complete("greet", "name",
                   [](std::string_view begun) { return std::vector<std::string>{std::string(begun)}; });
    add_changing(made);
    return made;
}

} // namespace partyline::test
