// Clients that listen to their tasks.

#include "modern_client.hpp"
#include "server_tasks_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace partyline::test;
using partyline::access_answer;

namespace {

struct listened_tasks : server_tasks_fixture {
    /// What the server acknowledges.
    std::string listen(std::string_view task)
    {
        say_modern("\"l\"", "subscriptions/listen", R"("notifications":{"taskIds":[")" + std::string(task) + R"("]})",
                   declaring);
        return receive();
    }
    /// The next thing that it is told of a task, with that status.
    std::string told(std::string_view task, std::string_view status)
    {
        std::string line = receive();
        BOOST_TEST(contains(line, R"("method":"notifications/tasks")"), line);
        BOOST_TEST(contains(line, R"("io.modelcontextprotocol/subscriptionId":"l")"), line);
        BOOST_TEST(contains(line, R"("taskId":")" + std::string(task) + '"'), line);
        BOOST_TEST(contains(line, R"("status":")" + std::string(status) + '"'), line);
        return line;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks_topic, listened_tasks, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_listener_is_told_how_a_task_ends)
{
    begin();
    const std::string id = id_of("slow");
    const std::string other = id_of("slow");
    settle(); // both have told how far they are
    BOOST_TEST(contains(listen(id), R"("notifications":{"taskIds":[")" + id + R"("]})"));
    expect_silence();
    work.open();
    const std::string line = told(id, "completed");
    BOOST_TEST(contains(line, R"("result":{"content":[{"type":"text","text":"worked"}])"), line);
    wait_for(other, "completed");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_listener_is_told_what_a_task_asks_and_that_it_was_cancelled)
{
    begin();
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    listen(id);
    update(id, R"({"sure":{"action":"accept","content":{"yes":true}}})");
    settle();
    const std::vector<std::string> first = take_lines();
    BOOST_TEST_REQUIRE(!first.empty());
    BOOST_TEST(contains(first.back(), R"("inputRequests":{"word":)"), first.back());
    update(id, R"({"word":{"action":"accept","content":{"word":"so"}}})");
    settle();
    const std::vector<std::string> second = take_lines();
    BOOST_TEST_REQUIRE(!second.empty());
    BOOST_TEST(contains(second.back(), R"("inputRequests":{"last":)"), second.back());
    cancel_task(id);
    told(id, "cancelled");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(nobody_listens_to_a_task_that_is_not_there)
{
    begin();
    const std::string answer = listen("none");
    BOOST_TEST(contains(answer, R"("notifications":{},)"), answer); // acknowledged, without the task
}

BOOST_AUTO_TEST_CASE(nobody_listens_to_the_task_of_another_principal)
{
    begin();
    modern_client alice(server, context, "alice");
    const std::string id = alice.id_of("slow");
    const std::string answer = listen(id);
    BOOST_TEST(contains(answer, R"("notifications":{},)"), answer); // acknowledged, without the task
    work.open();
    alice.wait_for(id, "completed");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_changes_nothing_is_not_told)
{
    begin();
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    listen(id);
    update(id, R"({"other":{"action":"decline"}})");
    expect_silence();
    cancel_task(id);
    told(id, "cancelled");
    cancel_task(id);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(who_has_to_sign_what_asks_for_a_task_does_not_listen)
{
    options.access = allow_others({{"tasks/get", access_answer::needs_proof}});
    begin();
    const std::string id = id_of("slow");
    settle();
    const std::string answer = listen(id);
    BOOST_TEST(contains(answer, R"("notifications":{},)"), answer); // acknowledged, without the task
    work.open();
    expect_silence();
}

BOOST_AUTO_TEST_SUITE_END()
