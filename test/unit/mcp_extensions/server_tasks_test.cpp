// Tools whose calls are tasks, as a client sees them.

#include "support/text_search.hpp"
#include "tasks_dialogue.hpp"

#include <partyline/mcp/tool_error.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using mcp::task_start;
using partyline::task;

namespace {

struct yes_form {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(yes_form, (), (yes))

struct word_form {
    std::string word;
};
BOOST_DESCRIBE_STRUCT(word_form, (), (word))

task<std::string> ask_in_rounds(mcp::context& c)
{
    const auto [sure, word] =
        co_await c.ask(mcp::form<yes_form>("sure", "Sure?"), mcp::form<word_form>("word", "Word?"));
    const auto last = co_await c.elicit<yes_form>("last", "Really?");
    co_return word->word + (sure->yes && last->yes ? " yes" : " no");
}

// All calls of the tool have to be signed, and whatever the proof is, it is valid.
struct signed_tools final : partyline::access_view {
    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method == "tools/call" ? partyline::access_answer::needs_proof : partyline::access_answer::allowed};
    }
    partyline::proof_verdict check_proof(const partyline::unproven_call&) const override
    {
        ++checks;
        return {partyline::proof_verdict::outcome::valid};
    }

    mutable int checks = 0;
};

json::value nested_objects(int depth)
{
    json::value made = json::object();
    for (int i = 1; i < depth; ++i)
        made = json::object{{"a", std::move(made)}};
    return made;
}

struct server_tasks_fixture : tasks_dialogue {
    gate work{context};

    void add_tools()
    {
        add("quick", [] { return std::string("done"); });
        add("slow", [this](mcp::context& c) -> task<std::string> {
            co_await c.progress(1, 2, "at work");
            co_await work.wait();
            co_return "worked";
        });
        add("bad", []() -> std::string { throw mcp::tool_error("no luck"); });
        add("refused", []() -> std::string { throw partyline::rpc_error(7, "No", json::value(1)); });
        add("asks", &ask_in_rounds);
    }
    server_tasks_fixture() { add_tools(); }

    // The task when it works no more.
    json::object wait_for_end(const std::string& id)
    {
        json::object now = get(id);
        while (now.at("status").as_string() == "working") {
            settle();
            now = get(id);
        }
        return now;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks, server_tasks_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(the_server_declares_them_to_modern_clients)
{
    begin();
    BOOST_TEST(contains(result_member(answer_modern("server/discover"), "capabilities"),
                        R"("extensions":{"io.modelcontextprotocol/tasks":{}})"));
    server_tasks_fixture legacy;
    legacy.greet();
    BOOST_TEST(!contains(legacy.heard().front(), "tasks"));
}

BOOST_AUTO_TEST_CASE(a_call_is_answered_by_a_task_that_is_there)
{
    begin();
    const json::object made = call_task("slow");
    BOOST_TEST(made.at("resultType").as_string() == "task");
    BOOST_TEST(made.at("status").as_string() == "working");
    BOOST_TEST(made.at("ttlMs").is_null());
    BOOST_TEST(made.at("pollIntervalMs").as_int64() == 1000);
    BOOST_TEST(made.at("createdAt") == made.at("lastUpdatedAt"));
    BOOST_TEST(made.size() == 7U);
    const std::string id(made.at("taskId").as_string());
    run_until([this] { return work.arrivals == 1; });
    settle();
    const json::object now = get(id);
    BOOST_TEST(now.at("resultType").as_string() == "complete");
    BOOST_TEST(now.at("taskId").as_string() == id);
    BOOST_TEST(now.at("status").as_string() == "working");
    BOOST_TEST(now.at("statusMessage").as_string() == "at work");
    BOOST_TEST(!now.contains("result"));
    work.open();
    const json::object ended = wait_for(id, "completed");
    BOOST_TEST(json::serialize(ended.at("result").at("content")) == R"([{"type":"text","text":"worked"}])");
    BOOST_TEST(ended.at("ttlMs").as_int64() >= 300'000);
}

BOOST_AUTO_TEST_CASE(others_wait_or_are_refused)
{
    begin();
    BOOST_TEST(contains(call_plainly("quick"), R"("text":"done")"));
    const std::string refused = answer_modern("tasks/get", R"("taskId":"x")");
    BOOST_TEST(contains(refused, "-32021"), refused);
    add("must", [] { return std::string("done"); }, tasks->required());
    const std::string lacking = call_plainly("must");
    BOOST_TEST(contains(lacking, R"("code":-32021)"), lacking);
    BOOST_TEST(contains(lacking, R"("requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}})"),
               lacking);
    wait_for(id_of("must"), "completed");
}

BOOST_AUTO_TEST_CASE(a_legacy_client_gets_none_whatever_it_declares)
{
    add("must", [] { return std::string("done"); }, tasks->required());
    greet("2025-11-25", declaring);
    call("1", "quick");
    expect(text_result("1", "done"));
    call("2", "must");
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":-32602)"), refused);
    BOOST_TEST(contains(refused, "io.modelcontextprotocol/tasks"), refused);
    BOOST_TEST(contains(answer_to(request("3", "tasks/get", R"({"taskId":"x"})")), "-32601"));
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_tool_is_a_result_and_an_error_is_none)
{
    begin();
    BOOST_TEST(wait_for(id_of("bad"), "completed").at("result").at("isError").as_bool());
    const json::object failed = wait_for(id_of("refused"), "failed");
    BOOST_TEST(json::serialize(failed.at("error")) == R"({"code":7,"message":"No","data":1})");
    BOOST_TEST(!failed.contains("result"));
}

BOOST_AUTO_TEST_CASE(questions_are_answered_one_by_one_and_round_by_round)
{
    begin();
    const std::string id = id_of("asks");
    const json::object asked = wait_for(id, "input_required");
    BOOST_TEST(asked.at("inputRequests").as_object().size() == 2U);
    BOOST_TEST(asked.at("inputRequests").at("sure").at("method").as_string() == "elicitation/create");
    BOOST_TEST(!asked.contains("requestState"));
    BOOST_TEST(update(id, R"({"other":{}})") == modern_empty());
    BOOST_TEST(update(id, R"({"sure":{"action":"accept","content":{"yes":true}}})") == modern_empty());
    const json::object half = get(id);
    BOOST_TEST(half.at("inputRequests").as_object().size() == 1U);
    BOOST_TEST(half.at("inputRequests").as_object().contains("word"));
    update(id, R"({"word":{"action":"accept","content":{"word":"well"}}})");
    const json::object last = wait_for(id, "input_required");
    BOOST_TEST(last.at("inputRequests").as_object().contains("last"));
    update(id, R"({"last":{"action":"accept","content":{"yes":true}}})");
    const json::object ended = wait_for(id, "completed");
    BOOST_TEST(contains(json::serialize(ended.at("result")), "well yes"));
    BOOST_TEST(!ended.contains("inputRequests"));
    BOOST_TEST(update(id, R"({"last":{}})") == modern_empty());
}

BOOST_AUTO_TEST_CASE(a_task_may_begin_with_the_answers)
{
    add("later", &ask_in_rounds, tasks->optional(task_start::after_questions));
    begin();
    call_modern("1", "later", "{}", declaring);
    const std::string asked = receive();
    BOOST_TEST(contains(asked, R"("resultType":"input_required")"), asked);
    const std::string state = result_member(asked, "requestState");
    const std::string answers = R"({"sure":{"action":"accept","content":{"yes":false}},)"
                                R"("word":{"action":"accept","content":{"word":"a"}}})";
    call_modern("2", "later", "{}", declaring,
                R"(,"inputResponses":)" + answers + R"(,"requestState":")" + state + '"');
    const std::string made = receive();
    BOOST_TEST(contains(made, R"("resultType":"task")"), made);
    const std::string id = result_member(made, "taskId");
    wait_for(id, "input_required");
    update(id, R"({"last":{"action":"accept","content":{"yes":true}}})");
    BOOST_TEST(contains(json::serialize(wait_for(id, "completed").at("result")), "a no"));
}

BOOST_AUTO_TEST_CASE(a_cancel_reaches_the_tool)
{
    begin();
    const std::string id = id_of("slow");
    run_until([this] { return work.arrivals == 1; });
    bool has_ended = false;
    add("watched", [&](mcp::context&) -> task<std::string> {
        const std::shared_ptr<void> at_end(nullptr, [&](void*) { has_ended = true; });
        co_await work.wait();
        co_return "not cancelled";
    });
    const std::string watched = id_of("watched");
    run_until([this] { return work.arrivals == 2; });
    BOOST_TEST(cancel_task(watched) == modern_empty());
    BOOST_TEST(get(watched).at("status").as_string() == "cancelled");
    run_until([&] { return has_ended; });
    BOOST_TEST(get(id).at("status").as_string() == "working");
    BOOST_TEST(cancel_task(watched) == modern_empty());
    work.open();
    wait_for(id, "completed");
    BOOST_TEST(cancel_task(id) == modern_empty());
    BOOST_TEST(get(id).at("status").as_string() == "completed");
}

BOOST_AUTO_TEST_CASE(one_that_asks_is_cancelled_too)
{
    begin();
    const std::string id = id_of("asks");
    wait_for(id, "input_required");
    BOOST_TEST(cancel_task(id) == modern_empty());
    const json::object ended = get(id);
    BOOST_TEST(ended.at("status").as_string() == "cancelled");
    BOOST_TEST(!ended.contains("inputRequests"));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_told_by_each_method)
{
    begin();
    for (const char* const method : {"tasks/get", "tasks/cancel", "tasks/update"}) {
        const std::string refused = answer_modern(method, R"("taskId":"x","inputResponses":{})", declaring);
        BOOST_TEST(contains(refused, R"("code":-32602,"message":"Unknown task","data":{"taskId":"x"})"), refused);
        BOOST_TEST(contains(answer_modern(method, R"("inputResponses":{})", declaring), "-32602"));
    }
    for (const char* const method : {"tasks/list", "tasks/result"})
        BOOST_TEST(contains(answer_modern(method, R"("taskId":"x")", declaring), "-32601"));
}

BOOST_AUTO_TEST_CASE(the_tool_sees_the_client_that_has_called_it)
{
    auto peer = partyline::peer_identity();
    peer.principal = "alice";
    peer.source = "token";
    options.peer = std::make_shared<const partyline::peer_identity>(peer);
    options.user_data = std::string("kept");
    settings.configure_session = [](partyline::request_context& rpc, partyline::session_options& of_task) {
        of_task.user_data = *rpc.user_data<std::string>();
    };
    renew();
    add("who", [](mcp::context& c) {
        const std::string has = c.extension("io.modelcontextprotocol/tasks") ? "tasks" : "none";
        return c.rpc().peer().source + ' ' + c.rpc().peer().principal + ' ' + *c.user_data<std::string>() + ' ' + has;
    });
    begin();
    const json::object ended = wait_for(id_of("who"), "completed");
    BOOST_TEST(contains(json::serialize(ended.at("result")), "token alice kept tasks"));
}

BOOST_AUTO_TEST_CASE(the_task_of_a_signed_call_needs_no_second_proof)
{
    const auto view = std::make_shared<signed_tools>();
    options.access = view;
    begin();
    wait_for(id_of("quick"), "completed");
    BOOST_TEST(view->checks == 1);
}

BOOST_AUTO_TEST_CASE(what_configure_session_throws_is_the_answer)
{
    bool is_refused = true;
    settings.max_tasks = 1;
    settings.configure_session = [&](partyline::request_context&, partyline::session_options&) {
        if (is_refused)
            throw partyline::rpc_error(9, "Not now");
    };
    renew();
    add_tools();
    begin();
    call_modern("1", "asks", "{}", declaring);
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":9,"message":"Not now")"), refused);
    is_refused = false;
    const std::string id = id_of("asks"); // there is room: the first one has never been
    wait_for(id, "input_required");
    is_refused = true;
    const std::string lost = update(id, R"({"sure":{"action":"decline"},"word":{"action":"decline"}})");
    BOOST_TEST(contains(lost, R"("code":9,"message":"Not now")"), lost);
    BOOST_TEST(get(id).at("status").as_string() == "failed");
}

BOOST_AUTO_TEST_CASE(a_tool_may_have_an_executor_of_its_own)
{
    boost::asio::thread_pool pool(1);
    std::thread::id where;
    mcp::tool_options with;
    with.run.around_requests.add(tasks->optional());
    with.run.executor = pool.get_executor();
    const auto tell = [&] {
        where = std::this_thread::get_id();
        return std::string("done elsewhere");
    };
    server.add_tool("elsewhere", "A tool", tell, std::move(with));
    begin();
    BOOST_TEST(contains(json::serialize(wait_for(id_of("elsewhere"), "completed").at("result")), "done elsewhere"));
    pool.join();
    BOOST_TEST((where != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(a_result_that_no_answer_could_hold_is_a_failure)
{
    int depth = 100;
    add("deep", [&depth] { return nested_objects(depth); });
    begin();
    BOOST_TEST(wait_for_end(id_of("deep")).at("status").as_string() == "completed");
    for (depth = 120; depth != 129; ++depth) // each has an answer
        wait_for_end(id_of("deep"));
    const json::object failed = wait_for_end(id_of("deep"));
    BOOST_TEST(failed.at("status").as_string() == "completed"); // the tool has failed
    BOOST_TEST(failed.at("result").at("isError").as_bool());
}

BOOST_AUTO_TEST_CASE(without_room_a_call_is_refused_and_nothing_is_dropped)
{
    settings.max_tasks = 1;
    renew();
    add_tools();
    begin();
    const std::string id = id_of("slow");
    call_modern("1", "quick", "{}", declaring);
    const std::string refused = receive();
    BOOST_TEST(contains(refused, R"("code":-31001)"), refused);
    BOOST_TEST(get(id).at("status").as_string() == "working");
    work.open();
    wait_for(id, "completed");
}

BOOST_AUTO_TEST_CASE(times_make_sense)
{
    mcp::server other("other", "1");
    BOOST_CHECK_THROW(mcp::server_tasks(other, {.ttl = std::chrono::milliseconds(0)}), std::invalid_argument);
    BOOST_CHECK_THROW(mcp::server_tasks(other, {.poll_interval = std::chrono::hours(9000)}), std::invalid_argument);
    const mcp::server_tasks first(other);
    BOOST_CHECK_THROW(const mcp::server_tasks second(other), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
