// Extensions of the protocol that a client has declared.

#include "scripted_server.hpp"

#include <partyline/mcp/client/client_extension.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using namespace std::chrono_literals;
using partyline::mcp::client_errc;

namespace {

constexpr const char* jobs = "com.example/jobs";
constexpr const char* has_jobs = R"({"extensions":{"com.example/jobs":{"states":true}}})";

struct job_done {
    int id = 0;
};
BOOST_DESCRIBE_STRUCT(job_done, (), (id))

struct extensions_fixture : scripted_server {
    begun<mcp::tool_answer> called;
    begun<json_text> asked;

    mcp::client_extension declare(method_table methods = {}, mcp::client_extension_options how = {})
    {
        return client().add_extension(jobs, {{"deep", true}}, std::move(methods), std::move(how));
    }
    // One that makes results of the kind "job" of calls of tools.
    mcp::client_extension declare(mcp::result_function made)
    {
        mcp::client_extension_options how;
        how.results[{"tools/call", "job"}] = std::move(made);
        return declare({}, std::move(how));
    }
    std::string expect_call() { return expect_request("tools/call", R"({"name":"build","arguments":{}})"); }
    void call(mcp::call_hooks hooks = {}) { client().call_tool("build", nullptr, std::move(hooks))(called.token()); }
    json::value declared_in_meta()
    {
        return last_meta().at("io.modelcontextprotocol/clientCapabilities").at("extensions");
    }
};

const json_text done(R"({"content":[{"type":"text","text":"done"}]})");

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_client_extensions, extensions_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(it_is_declared_with_each_modern_request)
{
    const mcp::client_extension one = declare();
    BOOST_TEST(!one.served());
    start_modern(has_jobs);
    BOOST_REQUIRE(one.served());
    BOOST_TEST(json::serialize(*one.served()) == R"({"states":true})");
    one.request("jobs/list")(asked.token());
    const std::string id = expect_request("jobs/list", "{}");
    BOOST_TEST(declared_in_meta() == json::parse(R"({"com.example/jobs":{"deep":true}})"));
    reply(id, R"({"resultType":"complete","jobs":[]})");
    BOOST_TEST(wait(asked).outcome()->text() == R"({"resultType":"complete","jobs":[]})");
}

BOOST_AUTO_TEST_CASE(it_is_declared_in_a_legacy_handshake)
{
    options.era = mcp::wanted_era::legacy;
    const mcp::client_extension one = declare();
    begun<void> started;
    client().start()(started.token());
    const json::value said = json::parse(receive());
    BOOST_TEST(said.at("params").at("capabilities") ==
               json::parse(R"({"extensions":{"com.example/jobs":{"deep":true}}})"));
    reply(json::serialize(said.at("id")), R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},)"
                                          R"("capabilities":{"extensions":{"com.example/jobs":{}}}})");
    BOOST_TEST(!wait(started).failed());
    BOOST_TEST(one.served().has_value());
}

BOOST_AUTO_TEST_CASE(one_of_a_later_revision_is_not_declared_in_a_legacy_handshake)
{
    options.era = mcp::wanted_era::legacy;
    mcp::client_extension_options how;
    how.since = mcp::revision::v2026_07_28;
    const mcp::client_extension one = declare({}, std::move(how));
    begun<void> started;
    client().start()(started.token());
    const json::value said = json::parse(receive());
    BOOST_TEST(said.at("params").at("capabilities") == json::parse("{}"));
    reply(json::serialize(said.at("id")), R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},)"
                                          R"("capabilities":{"extensions":{"com.example/jobs":{}}}})");
    BOOST_TEST(!wait(started).failed());
    BOOST_TEST(!one.served());
}

BOOST_AUTO_TEST_CASE(a_server_that_has_not_declared_it_is_asked_nothing)
{
    const mcp::client_extension one = declare();
    one.request("jobs/list")(asked.token());
    expect_failure(asked, client_errc::not_started);
    start_modern(R"({"extensions":{"com.example/jobs":[],"com.example/other":{}}})");
    BOOST_TEST(!one.served());
    begun<json_text> again;
    one.request("jobs/list")(again.token());
    expect_failure(again, client_errc::not_declared, jobs);
    expect_silence();
}

BOOST_AUTO_TEST_CASE(what_the_server_tells_of_it_comes_to_its_methods)
{
    std::optional<int> told;
    method_table methods;
    methods.add_notification("notifications/jobs/done", [&](job_done what) { told = what.id; });
    declare(std::move(methods));
    start_modern(has_jobs);
    tell("notifications/jobs/done", R"({"id":7,"newer":true,"_meta":{}})");
    settle();
    BOOST_TEST((told == 7));
}

BOOST_AUTO_TEST_CASE(a_legacy_server_may_ask_and_a_modern_one_may_not)
{
    const auto methods = [] {
        method_table made;
        made.add("jobs/may", [](int id) { return json::object{{"may", id == 4}}; }, {"id"});
        return made;
    };
    declare(methods());
    start_legacy(has_jobs);
    send(R"({"jsonrpc":"2.0","id":"q","method":"jobs/may","params":{"id":4,"newer":1}})");
    expect(R"({"jsonrpc":"2.0","id":"q","result":{"may":true}})");
    extensions_fixture other;
    other.declare(methods());
    other.start_modern(has_jobs);
    other.send(R"({"jsonrpc":"2.0","id":"q","method":"jobs/may","params":{"id":4}})");
    other.expect_silence();
}

BOOST_AUTO_TEST_CASE(a_result_of_its_kind_is_completed_by_its_function)
{
    std::optional<mcp::client_extension> one;
    one = declare([&](mcp::extension_result what) -> task<json_text> {
        BOOST_TEST(what.method == "tools/call");
        BOOST_TEST(what.result.to_value().at("job") == 4);
        BOOST_TEST((what.hooks.timeout > 1h && what.hooks.timeout <= 2h));
        operation<json_text> asking = one->request("jobs/wait", named("job", 4));
        co_return co_await std::move(asking);
    });
    start_modern(has_jobs);
    mcp::call_hooks hooks;
    hooks.timeout = 2h;
    call(hooks);
    reply(expect_call(), R"({"resultType":"job","job":4})");
    reply(expect_request("jobs/wait", R"({"job":4})"), done.text());
    BOOST_TEST(!wait(called).failed());
    BOOST_TEST(called.outcome()->text() == "done");
}

BOOST_AUTO_TEST_CASE(another_methods_result_of_that_kind_stays_unknown)
{
    declare([](mcp::extension_result) -> task<json_text> { co_return done; });
    start_modern(has_jobs);
    begun<mcp::resource_answer> read;
    client().read_resource("a:b")(read.token());
    reply(expect_request("resources/read", R"({"uri":"a:b"})"), R"({"resultType":"job"})");
    expect_failure(read, client_errc::unknown_result_type);
    call();
    reply(expect_call(), R"({"resultType":"task"})");
    expect_failure(called, client_errc::unknown_result_type);
}

BOOST_AUTO_TEST_CASE(what_its_function_throws_the_call_fails_with)
{
    declare([](mcp::extension_result) -> task<json_text> {
        throw rpc_error(-7, "No");
        co_return done;
    });
    start_modern(has_jobs);
    call();
    reply(expect_call(), R"({"resultType":"job"})");
    wait(called);
    BOOST_REQUIRE(called.outcome().error());
    BOOST_TEST(called.outcome().error()->code == -7);
}

BOOST_AUTO_TEST_CASE(its_function_ends_with_the_call_with_its_time_and_with_the_conversation)
{
    for (const char* const how : {"cancelled", "too late", "ended", "client gone"}) {
        BOOST_TEST_CONTEXT(how)
        {
            const std::string ending = how;
            extensions_fixture one;
            int begun = 0;
            int ended = 0;
            one.declare([&](mcp::extension_result) -> task<json_text> {
                asio::steady_timer for_ever(one.context, asio::steady_timer::time_point::max());
                ++begun;
                const auto [why] = co_await for_ever.async_wait(asio::as_tuple(asio::deferred));
                ended += why ? 1 : 0;
                co_return done;
            });
            one.start_modern(has_jobs);
            mcp::call_hooks hooks;
            if (ending == "too late")
                hooks.timeout = 200ms;
            one.call(hooks);
            one.reply(one.expect_call(), R"({"resultType":"job"})");
            if (ending != "too late") // which may be over before
                one.run_until([&] { return begun == 1; });
            if (ending == "cancelled")
                one.called.cancel();
            else if (ending == "ended")
                one.end();
            else if (ending == "client gone")
                one.destroy_client();
            const error_code expected = ending == "cancelled"  ? error_code(asio::error::operation_aborted)
                                        : ending == "too late" ? error_code(errc::timeout)
                                        : ending == "ended"    ? error_code(errc::peer_closed)
                                                               : error_code(errc::session_closed);
            one.expect_failure(one.called, expected);
            BOOST_TEST(ended == begun);
        }
    }
}

BOOST_AUTO_TEST_CASE(questions_that_came_its_own_way_are_answered_by_the_client)
{
    client().on_elicit([](const mcp::elicit_request& what) {
        BOOST_TEST(what.key == "sure");
        return mcp::elicit_answer::accept(json::object{{"yes", true}});
    });
    const mcp::client_extension one = declare();
    start_modern(has_jobs);
    begun<json::object> answered;
    const json::object form{
        {"mode", "form"}, {"message", "Sure?"}, {"requestedSchema", json::object{{"type", "object"}}}};
    one.answer({{"sure", json::object{{"method", "elicitation/create"}, {"params", form}}}})(answered.token());
    BOOST_TEST(!wait(answered).failed());
    BOOST_TEST(json::serialize(*answered.outcome()) == R"({"sure":{"action":"accept","content":{"yes":true}}})");
    begun<json::object> roots;
    one.answer({{"where", json::object{{"method", "roots/list"}}}}, 1min)(roots.token());
    expect_failure(roots, client_errc::no_handler);
}

BOOST_AUTO_TEST_CASE(it_outlives_its_client)
{
    const mcp::client_extension one = declare();
    start_modern(has_jobs);
    destroy_client();
    settle();
    BOOST_TEST(!one.served());
    one.request("jobs/list")(asked.token());
    expect_failure(asked, errc::session_closed);
}

// rule: mcp.extension.name
BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused)
{
    BOOST_CHECK_THROW(client().add_extension("jobs"), std::invalid_argument);
    BOOST_CHECK_THROW(client().add_extension("c/j", {{"text", "\xff"}}), std::invalid_argument);
    BOOST_CHECK_THROW(declare(mcp::result_function()), std::invalid_argument);
    const auto making = [](std::string method, std::string type) {
        mcp::client_extension_options how;
        how.results[{std::move(method), std::move(type)}] = [](mcp::extension_result) -> task<json_text> {
            co_return done;
        };
        return how;
    };
    for (const char* const type : {"", "complete", "input_required"})
        BOOST_CHECK_THROW(declare({}, making("tools/call", type)), std::invalid_argument);
    BOOST_CHECK_THROW(declare({}, making("", "job")), std::invalid_argument);
    client().add_extension("com.example/first", {}, {}, making("tools/call", "job"));
    BOOST_CHECK_THROW(declare({}, making("tools/call", "job")), std::invalid_argument);
    method_table methods;
    methods.add_notification("notifications/jobs/done", [] {});
    declare(std::move(methods));
    BOOST_CHECK_THROW(declare(), std::invalid_argument);
    method_table same;
    same.add_notification("notifications/jobs/done", [] {});
    BOOST_CHECK_THROW(client().add_extension("com.example/other", {}, std::move(same)), std::invalid_argument);
    method_table known;
    known.add_notification("notifications/message", [] {});
    BOOST_CHECK_THROW(client().add_extension("com.example/other", {}, std::move(known)), std::invalid_argument);
    start_modern();
    BOOST_CHECK_THROW(client().add_extension("com.example/late"), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
