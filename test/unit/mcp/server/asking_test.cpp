// Handlers that ask the client: suspended in the one era, run again in the other.

#include "unit/mcp/server/mcp_dialogue.hpp"

#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::task;

namespace {

struct confirm {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirm, (), (yes))

struct name_form {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(name_form, (), (name))

struct folder_args {
    std::string folder;
};
BOOST_DESCRIBE_STRUCT(folder_args, (), (folder))

constexpr const char* able = R"({"elicitation":{},"sampling":{},"roots":{}})";

struct asking_fixture : mcp_dialogue {
    int counted = 0;

    asking_fixture()
    {
        server.add_tool("clean", "Cleans a folder",
                        [this](mcp::context& c, folder_args a) -> task<std::string> { return clean(c, std::move(a)); });
        server.add_tool("greet", "Asks three things at once", &asking_fixture::greet_all);
        server.add_tool("stubborn", "Swallows what asking throws", &asking_fixture::stubborn);
        server.add_tool("steps", "Goes from step to step", &asking_fixture::steps);
        server.add_tool("bytes", "Asks with what is no text", [](mcp::context& c) -> task<std::string> {
            auto sure = co_await c.elicit<confirm>("sure", "Delete \xff?");
            co_return sure ? "sure" : "unsure";
        });
    }

    task<std::string> clean(mcp::context& c, folder_args a)
    {
        const int count = co_await c.once("count", [this] { return ++counted; });
        auto sure = co_await c.elicit<confirm>("sure", "Delete " + a.folder + "?");
        if (!sure || !sure->yes)
            co_return "kept";
        co_return "deleted after " + std::to_string(count);
    }

    static task<std::string> greet_all(mcp::context& c)
    {
        mcp::sampling_request wish("A greeting", 50);
        auto [who, words, roots] =
            co_await c.ask(mcp::form<name_form>("who", "Your name?"), mcp::sample("words", wish), mcp::roots("roots"));
        co_return words.text() + ", " + (who ? who->name : "nobody") + ' ' + std::to_string(roots.size());
    }

    static task<std::string> stubborn(mcp::context& c)
    {
        try {
            auto sure = co_await c.elicit<confirm>("sure", "Sure?");
            co_return sure ? "sure" : "unsure";
        } catch (...) {
        }
        co_return "swallowed";
    }

    static task<std::string> steps(mcp::context& c)
    {
        const int done = c.state<int>().value_or(0);
        c.set_state(done + 1);
        const auto answer = co_await c.elicit<confirm>("step" + std::to_string(done), "Go on?");
        BOOST_TEST(answer->yes);
        co_return std::to_string(c.round()) + " rounds, " + std::to_string(done);
    }

    std::string state_of(const std::string& reply)
    {
        return R"(,"requestState":")" + result_member(reply, "requestState") + '"';
    }
};

std::string with_answer(std::string_view key, std::string_view answer)
{
    return R"(,"inputResponses":{")" + std::string(key) + "\":" + std::string(answer) + '}';
}

constexpr const char* yes = R"({"action":"accept","content":{"yes":true}})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_asking, asking_fixture, *boost::unit_test::timeout(30))

// rule: mcp.elicit.form
BOOST_AUTO_TEST_CASE(in_the_legacy_era_the_handler_waits_for_the_client)
{
    greet("2025-11-25", able);
    call("1", "clean", R"({"folder":"/tmp"})");
    expect(request("1", "elicitation/create",
                   R"({"message":"Delete /tmp?","requestedSchema":{"type":"object",)"
                   R"("properties":{"yes":{"type":"boolean"}},"required":["yes"]}})"));
    send(result("1", yes));
    expect(text_result("1", "deleted after 1"));
    BOOST_TEST(counted == 1);
}

// rule: mcp.stdio.no_requests, mcp.rounds.pattern
BOOST_AUTO_TEST_CASE(in_the_modern_era_the_handler_runs_again_with_the_answers)
{
    begin();
    call_modern("1", "clean", R"({"folder":"/tmp"})", able);
    const std::string first = receive();
    BOOST_TEST(result_member(first, "resultType") == "input_required");
    BOOST_TEST(result_member(first, "inputRequests").find(R"("sure":{"method":"elicitation/create")") !=
               std::string::npos);
    call_modern("2", "clean", R"({"folder":"/tmp"})", able, with_answer("sure", yes) + state_of(first));
    expect(modern_text("2", "deleted after 1"));
    BOOST_TEST(counted == 1); // kept by once
}

// rule: mcp.message.utf8
BOOST_AUTO_TEST_CASE(what_is_no_text_is_not_asked)
{
    begin();
    call_modern("1", "bytes", "{}", able);
    const std::string reply = receive();
    BOOST_TEST(reply.find("What is asked is no JSON") != std::string::npos, reply);
    BOOST_TEST(result_member(reply, "isError") == "true");
    dialogue::destroy_session();
}

// rule: mcp.elicit.refused
BOOST_AUTO_TEST_CASE(a_declined_form_is_an_answer)
{
    begin();
    call_modern("1", "clean", R"({"folder":"x"})", able, with_answer("sure", R"({"action":"decline"})"));
    expect(modern_text("1", "kept"));
    dialogue::destroy_session();
}

// rule: mcp.rounds.check, mcp.rounds.again, mcp.elicit.check
BOOST_AUTO_TEST_CASE(answers_that_do_not_fit_are_asked_for_again)
{
    begin();
    for (const char* wrong : {"12345", "null", R"({"action":"maybe"})", R"({"action":"accept","content":{"yes":1}})",
                              R"({"action":"accept"})"}) {
        BOOST_TEST_CONTEXT(wrong)
        {
            call_modern("1", "clean", R"({"folder":"x"})", able, with_answer("sure", wrong));
            BOOST_TEST(result_member(receive(), "resultType") == "input_required");
        }
    }
    call_modern("2", "clean", R"({"folder":"x"})", able, with_answer("other", yes));
    BOOST_TEST(result_member(receive(), "resultType") == "input_required");
}

// rule: mcp.rounds.keys
BOOST_AUTO_TEST_CASE(several_questions_are_asked_at_once_in_either_era)
{
    const std::string words = R"({"role":"assistant","model":"m","content":{"type":"text","text":"Hi"}})";
    const std::string name = R"({"action":"accept","content":{"name":"Ann"}})";
    const std::string roots = R"({"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]})";
    greet("2025-11-25", able);
    call("1", "greet");
    std::vector<std::string> asked{receive(), receive(), receive()};
    for (const std::string& one : asked) {
        const json::value read = json::parse(one);
        const std::string id = json::serialize(read.at("id"));
        const std::string_view method = read.at("method").as_string();
        send(result(id, method == "roots/list" ? roots : method == "elicitation/create" ? name : words));
    }
    expect(text_result("1", "Hi, Ann 2"));

    call_modern("2", "greet", "{}", able);
    const std::string first = receive();
    BOOST_TEST(json::parse(first).at("result").at("inputRequests").as_object().size() == 3u);
    call_modern("3", "greet", "{}", able,
                R"(,"inputResponses":{"who":)" + name + R"(,"words":)" + words + R"(,"roots":)" + roots + "}");
    expect(modern_text("3", "Hi, Ann 2"));
}

BOOST_AUTO_TEST_CASE(a_handler_that_swallows_what_asking_throws_changes_nothing)
{
    begin();
    call_modern("1", "stubborn", "{}", able);
    const std::string first = receive();
    BOOST_TEST(result_member(first, "resultType") == "input_required");
    call_modern("2", "stubborn", "{}", able, with_answer("sure", yes) + state_of(first));
    expect(modern_text("2", "sure"));
}

// rule: mcp.stateless.handle, mcp.rounds.something
BOOST_AUTO_TEST_CASE(a_state_of_its_own_travels_from_round_to_round)
{
    begin();
    call_modern("1", "steps", "{}", able);
    std::string reply = receive();
    call_modern("2", "steps", "{}", able, state_of(reply));
    reply = receive();
    BOOST_TEST(result_member(reply, "inputRequests").find("step1") != std::string::npos, reply);
    call_modern("3", "steps", "{}", able, with_answer("step2", yes) + state_of(reply));
    expect(modern_text("3", "3 rounds, 2"));
}

// rule: mcp.meta.capability
BOOST_AUTO_TEST_CASE(what_the_client_can_not_be_asked_is_told_in_either_era)
{
    greet("2025-11-25", R"({"sampling":{}})");
    call("1", "clean", R"({"folder":"x"})");
    BOOST_TEST(receive().find("isError") != std::string::npos);
    call_modern("2", "greet", "{}", R"({"sampling":{}})");
    const std::string refused = receive();
    BOOST_TEST(refused.find(R"("code":-32021)") != refused.npos, refused);
    BOOST_TEST(refused.find(R"("requiredCapabilities":{"elicitation":{},"roots":{}})") != refused.npos, refused);
}

// rule: mcp.elicit.refused, mcp.sample.validate
BOOST_AUTO_TEST_CASE(a_client_that_refuses_or_answers_nonsense_is_a_failure_of_the_tool)
{
    greet("2025-11-25", able);
    call("1", "clean", R"({"folder":"x"})");
    receive();
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"User rejected"}})");
    const std::string refused = receive();
    BOOST_TEST(refused.find("User rejected") != refused.npos, refused);
    BOOST_TEST(refused.find("isError") != refused.npos, refused);
    call("2", "clean", R"({"folder":"x"})");
    receive();
    send(result("2", R"({"action":7})"));
    BOOST_TEST(receive().find("something else") != std::string::npos);
}

// rule: mcp.rounds.integrity, mcp.rounds.request
BOOST_AUTO_TEST_CASE(a_state_is_good_for_its_own_request_alone)
{
    begin();
    call_modern("1", "clean", R"({"folder":"/tmp"})", able);
    const std::string state = state_of(receive());
    struct row {
        const char* tool;
        const char* arguments;
        std::string others;
    };
    const row rows[] = {{"clean", R"({"folder":"/etc"})", with_answer("sure", yes) + state},
                        {"stubborn", "{}", with_answer("sure", yes) + state},
                        {"clean", R"({"folder":"/tmp"})", R"(,"requestState":"AAAA")"},
                        {"clean", R"({"folder":"/tmp"})", R"(,"requestState":7)"},
                        {"clean", R"({"folder":"/tmp"})", state.substr(0, state.size() - 1) + "-TAMPERED\""}};
    for (const row& one : rows) {
        BOOST_TEST_CONTEXT(one.others)
        {
            call_modern("2", one.tool, one.arguments, able, one.others);
            const std::string refused = receive();
            BOOST_TEST(refused.find(R"({"code":-32602,"message":"Invalid or expired requestState"})") != refused.npos,
                       refused);
        }
    }
    asking_fixture other; // another process
    other.begin();
    other.call_modern("1", "clean", R"({"folder":"/tmp"})", able, state);
    BOOST_TEST(other.receive().find("-32602") != std::string::npos);
    call_modern("3", "clean", R"({"folder":"/tmp"})", able, with_answer("sure", yes) + state);
    expect(modern_text("3", "deleted after 1"));
}

BOOST_AUTO_TEST_CASE(a_state_is_good_for_its_own_principal_alone)
{
    struct known_peer : mcp_dialogue {
        known_peer(const mcp::state_keys& keys, const char* source)
        {
            server = mcp::server("unit", "1.0", {.state_keys = keys});
            server.add_tool("stubborn", "Asks", &asking_fixture::stubborn);
            partyline::peer_identity alice;
            alice.principal = "alice";
            alice.source = source;
            options.peer = std::make_shared<const partyline::peer_identity>(alice);
            begin();
        }
    };
    const mcp::state_keys keys = mcp::state_keys::random();
    known_peer first(keys, "token");
    first.call_modern("1", "stubborn", "{}", able);
    const std::string retry = with_answer("sure", yes) + state_of(first.receive());
    known_peer namesake(keys, "certificate");
    namesake.call_modern("1", "stubborn", "{}", able, retry);
    const std::string refused = namesake.receive();
    BOOST_TEST(refused.find("Invalid or expired requestState") != refused.npos, refused);
    known_peer again(keys, "token");
    again.call_modern("1", "stubborn", "{}", able, retry);
    again.expect(modern_text("1", "sure"));
}

BOOST_AUTO_TEST_CASE(a_state_is_good_in_every_process_that_has_its_key)
{
    const std::string a(32, 'a');
    const std::string b(32, 'b');
    server.use_state_keys(mcp::state_keys({a}));
    begin();
    call_modern("1", "clean", R"({"folder":"/tmp"})", able);
    const std::string state = state_of(receive());
    asking_fixture other; // another process
    other.begin();
    const auto retry = [&](const char* id) {
        other.call_modern(id, "clean", R"({"folder":"/tmp"})", able, with_answer("sure", yes) + state);
        return other.receive();
    };
    BOOST_TEST(retry("1").find("-32602") != std::string::npos);
    other.server.use_state_keys(mcp::state_keys({b, a}));
    BOOST_TEST(retry("2") == modern_text("2", "deleted after 1"));
    other.server.use_state_keys(mcp::state_keys({b}));
    BOOST_TEST(retry("3").find("-32602") != std::string::npos);
}

// rule: mcp.cancel.stop
BOOST_AUTO_TEST_CASE(a_cancel_ends_a_handler_that_waits_for_an_answer_and_takes_its_question_back)
{
    greet("2025-11-25", able);
    call("1", "clean", R"({"folder":"x"})");
    receive();
    send(notification("notifications/cancelled", R"({"requestId":1})"));
    const std::string taken_back = receive();
    BOOST_TEST(taken_back.find(R"("method":"notifications/cancelled")") != taken_back.npos, taken_back);
    send(result("1", yes));
    expect_silence();
}

// What was agreed to is what was asked.
BOOST_AUTO_TEST_CASE(an_answer_is_none_to_a_question_that_has_changed_since)
{
    int files = 4;
    server.add_tool("wipe", "Deletes what there is", [&](mcp::context& c) -> task<std::string> {
        const std::string question = "Delete " + std::to_string(files) + " files?";
        const auto sure = co_await c.elicit<confirm>("sure", question);
        co_return sure && sure->yes ? question : "kept";
    });
    begin();
    const std::string yes = R"(,"inputResponses":{"sure":{"action":"accept","content":{"yes":true}}},"requestState":")";
    call_modern("1", "wipe", "{}", able);
    const std::string first = receive();
    BOOST_TEST(first.find("Delete 4 files?") != std::string::npos, first);
    files = 400;
    call_modern("2", "wipe", "{}", able, yes + result_member(first, "requestState") + '"');
    const std::string second = receive();
    BOOST_TEST(second.find("input_required") != std::string::npos, second);
    BOOST_TEST(second.find("Delete 400 files?") != std::string::npos, second);
    call_modern("3", "wipe", "{}", able, yes + result_member(second, "requestState") + '"');
    expect(modern_text("3", "Delete 400 files?"));
}

BOOST_AUTO_TEST_SUITE_END()
