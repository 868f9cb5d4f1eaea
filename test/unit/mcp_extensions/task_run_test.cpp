// The call of a task's tool by itself: what comes of it, and what is told when nothing does.

#include "mcp_extensions/tasks/task_run.hpp"
#include "support/text_search.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using namespace partyline::mcp;
using partyline::response;
using partyline::test::contains;

namespace {

class told_things final : public task_listener {
public:
    void on_message(const std::string&, unsigned, std::string_view) noexcept override {}
    void on_outcome(const std::string&, unsigned, response outcome) override
    {
        on_result();
        results.push_back(outcome ? outcome->text() : "error");
    }
    bool on_lost(const std::string&, unsigned, task_loss why) noexcept override
    {
        losses.push_back(why);
        return is_wanted;
    }

    std::function<void()> on_result = [] {};
    bool is_wanted = true;
    std::vector<std::string> results;
    std::vector<task_loss> losses;
};

struct task_run_fixture {
    static constexpr std::string_view id = "0123456789abcdef";

    task_run_fixture()
    {
        table->add("tools/call", [this](const std::string&) { return serve(); }, {"name"});
    }

    partyline::task<int> serve()
    {
        ++calls;
        co_await may_return->async_wait(asio::deferred);
        co_return 7;
    }
    std::shared_ptr<task_run> start()
    {
        partyline::session_options serving;
        serving.on_start = on_start;
        serving.log = [this](std::string_view line) { logged.emplace_back(line); };
        auto run =
            std::make_shared<task_run>(told, task_run::identity{std::string(id), 1, "build"}, context->get_executor(),
                                       partyline::served_methods(table), std::move(serving));
        run->start(R"({"name":"build"})");
        return run;
    }
    void run_until_called()
    {
        while (calls == 0)
            BOOST_REQUIRE(context->run_one_for(longest_wait) != 0);
    }
    // Whether the run has ended: nothing is left to happen.
    bool runs_out()
    {
        context->run_for(longest_wait);
        return context->stopped();
    }
    std::string line_of_loss() const
    {
        for (const std::string& line : logged)
            if (contains(line, "a task of the tool"))
                return line;
        return {};
    }

    static constexpr std::chrono::seconds longest_wait{20};
    const std::shared_ptr<partyline::method_table> table = std::make_shared<partyline::method_table>();
    std::function<void(const std::shared_ptr<partyline::session_link>&)> on_start;
    std::vector<std::string> logged;
    int calls = 0;
    const std::shared_ptr<told_things> told = std::make_shared<told_things>();
    std::optional<asio::io_context> context{std::in_place, 1};
    std::optional<partyline::async_event> may_return{std::in_place, context->get_executor()};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_task_run, task_run_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_the_tool_returns_is_told_and_all_of_it_ends)
{
    std::weak_ptr<task_run> run = start();
    run_until_called();
    may_return->set();
    BOOST_REQUIRE(runs_out());
    BOOST_REQUIRE(told->results.size() == 1U);
    BOOST_TEST(told->results.front() == "7");
    BOOST_TEST(told->losses.empty());
    BOOST_TEST(run.expired());
    BOOST_TEST(line_of_loss().empty());
}

BOOST_AUTO_TEST_CASE(an_outcome_that_can_not_be_read_is_logged_without_the_id)
{
    told->on_result = [] { throw std::runtime_error("of no\nuse"); };
    start();
    may_return->set();
    BOOST_REQUIRE(runs_out());
    BOOST_REQUIRE(told->losses.size() == 1U);
    BOOST_TEST((told->losses.front() == task_loss::internal_error));
    const std::string line = line_of_loss();
    BOOST_TEST(contains(line, R"(a task of the tool "build" has failed)"), line);
    BOOST_TEST(contains(line, R"(of no\u000ause)"), line);
    BOOST_TEST(!contains(line, id), line);
}

BOOST_AUTO_TEST_CASE(an_outcome_without_memory_is_logged)
{
    told->on_result = [] { throw std::bad_alloc(); };
    start();
    may_return->set();
    BOOST_REQUIRE(runs_out());
    BOOST_REQUIRE(told->losses.size() == 1U);
    BOOST_TEST((told->losses.front() == task_loss::no_memory));
    BOOST_TEST(!line_of_loss().empty());
}

BOOST_AUTO_TEST_CASE(a_session_that_fails_is_logged_where_an_outcome_is_wanted)
{
    for (const bool is_wanted : {true, false}) {
        task_run_fixture one;
        one.on_start = [](const std::shared_ptr<partyline::session_link>&) { throw std::runtime_error("no start"); };
        one.told->is_wanted = is_wanted;
        one.start();
        BOOST_REQUIRE(one.runs_out());
        BOOST_TEST(one.calls == 0);
        BOOST_TEST(one.told->results.empty());
        BOOST_REQUIRE(one.told->losses.size() == 1U);
        BOOST_TEST((one.told->losses.front() == task_loss::no_reply));
        BOOST_TEST(one.line_of_loss().empty() != is_wanted);
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_is_answered_and_is_no_loss)
{
    const std::shared_ptr<task_run> run = start();
    run_until_called();
    run->cancel();
    BOOST_REQUIRE(runs_out());
    BOOST_REQUIRE(told->results.size() == 1U);
    BOOST_TEST(told->results.front() == "error");
    BOOST_TEST(told->losses.empty());
    BOOST_TEST(line_of_loss().empty());
}

BOOST_AUTO_TEST_CASE(a_context_that_goes_abandons_the_call)
{
    const std::weak_ptr<task_run> run = start();
    run_until_called();
    may_return.reset();
    context.reset();
    BOOST_REQUIRE(told->losses.size() == 1U);
    BOOST_TEST((told->losses.front() == task_loss::abandoned));
    BOOST_TEST(run.expired());
    BOOST_TEST(line_of_loss().empty()); // nothing is wrong
}

BOOST_AUTO_TEST_SUITE_END()
