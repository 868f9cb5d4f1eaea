// Whose a task is, and what its call may do.

#include "mcp_extensions/tasks/task_access.hpp"
#include "server_tasks_fixture.hpp"
#include "support/fake_access.hpp"
#include "support/text_search.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace json = boost::json;
namespace mcp = partyline::mcp;
using namespace partyline::test;
using partyline::access_answer;

namespace {

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

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_server_tasks_access, server_tasks_fixture, *boost::unit_test::timeout(60))

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

BOOST_AUTO_TEST_CASE(the_proof_of_a_call_holds_for_its_tool_alone)
{
    const auto all = std::make_shared<fake_view>(access_answer::needs_proof, named_answers());
    const mcp::task_access view(all, "build", nullptr);
    BOOST_TEST((view.judge("tools/call", "build").is == access_answer::allowed));
    BOOST_TEST((view.judge("tools/call", "buildx").is == access_answer::needs_proof));
    BOOST_TEST((view.judge("tools/call", {}).is == access_answer::needs_proof));
    BOOST_TEST((view.judge("prompts/get", "build").is == access_answer::needs_proof));
    BOOST_TEST((view.judge("tasks/get", {}).is == access_answer::needs_proof));
    BOOST_TEST((view.check_proof({}).is == partyline::proof_verdict::outcome::refused));
    const auto none = std::make_shared<fake_view>(access_answer::hidden, named_answers());
    BOOST_TEST((mcp::task_access(none, "build", nullptr).judge("tools/call", "build").is == access_answer::hidden));
}

BOOST_AUTO_TEST_CASE(the_tool_of_a_signed_call_may_call_no_other_one)
{
    options.access = std::make_shared<signed_tools>();
    add("looks", [](mcp::context& c) {
        const auto view = c.rpc().access();
        const auto is_allowed = [&](std::string_view tool) {
            return view->judge("tools/call", tool).is == access_answer::allowed ? "yes " : "no ";
        };
        return std::string(is_allowed("looks")) + is_allowed("quick");
    });
    begin();
    const std::string seen = json::serialize(wait_for(id_of("looks"), "completed").at("result"));
    BOOST_TEST(contains(seen, "yes no "), seen);
}

BOOST_AUTO_TEST_CASE(who_may_not_poll_gets_no_task)
{
    for (const access_answer said : {access_answer::hidden, access_answer::lacks_scope}) {
        server_tasks_fixture one;
        one.options.access = allow_others({{"tasks/get", said}});
        one.begin();
        one.call_modern("1", "quick", "{}", declaring);
        const std::string done = one.receive();
        BOOST_TEST(contains(done, R"("text":"done")"), done);
        one.call_modern("2", "must", "{}", declaring);
        const std::string refused = one.receive();
        BOOST_TEST(contains(refused, R"("code":-32021)"), refused);
    }
    server_tasks_fixture signing;
    signing.options.access = allow_others({{"tasks/get", access_answer::needs_proof}});
    signing.begin();
    BOOST_TEST(signing.call_task("quick").contains("taskId"));
}

BOOST_AUTO_TEST_SUITE_END()
