// What a foreign server tells of by itself, and its end.

#include "driven_server.hpp"
#include "support/process_state.hpp"
#include "support/text_search.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>

#include <sys/wait.h>

using namespace partyline;
using namespace partyline::test;

namespace {

struct with_changes {
    driven_server& server = driven_server::shared();
    mcp::client& client = server.client();
    const server_facts& facts = server.facts;

    std::ptrdiff_t times_updated(const std::string& uri) const
    {
        return std::count(server.updated.begin(), server.updated.end(), uri);
    }
    void check_tools_changed()
    {
        if (server.is_remote() && !facts.change)
            return; // it may have been too early
        const int before = facts.change ? server.changes : 0;
        if (server.is_remote())
            server.repeat_until(
                [&] { return server.call(*facts.change), server.is_soon([&] { return server.changes > before; }); });
        else if (facts.change)
            server.call(*facts.change);
        server.run_until([&] { return server.changes > before; });
    }
    // Until something that was subscribed to has been heard.
    void wait_for_stream()
    {
        server.repeat_until([&] { return server.call(facts.touch), times_updated(facts.resource) != 0; });
        server.call(facts.text);
        server.updated.clear();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(changes, with_changes, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_tells_of_tools_that_have_changed)
{
    check_tools_changed();
    check_tools_changed();
}

BOOST_AUTO_TEST_CASE(it_tells_of_resources_that_were_subscribed_to)
{
    if (!facts.has_subscriptions) {
        BOOST_TEST(server.error_of(client.subscribe(facts.resource)) == -32601);
        return;
    }
    server.updated.clear();
    server.run(client.subscribe(facts.resource));
    if (server.is_remote())
        wait_for_stream();
    server.call(facts.touch);
    server.run_until([&] { return times_updated(facts.resource) == 1; });

    // More that is subscribed to takes nothing away.
    server.run(client.subscribe(facts.template_uri));
    server.call(facts.touch);
    server.run_until([&] { return times_updated(facts.resource) == 2; });
    check_tools_changed();

    server.run(client.unsubscribe(facts.template_uri));
    server.call(facts.touch);
    server.run_until([&] { return times_updated(facts.resource) == 3; });
    server.run(client.unsubscribe(facts.resource));
    // A cancel is not answered, and some servers serve what comes behind it at the same time.
    server.repeat_until([&] {
        const auto before = times_updated(facts.resource);
        server.call(facts.touch);
        server.call(facts.text);
        return times_updated(facts.resource) == before;
    });
    if (facts.keeps_telling_of_lists)
        check_tools_changed();
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(the_end, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(it_exits_by_itself_when_the_client_is_closed)
{
    driven_server server;
    // server-everything asks for them by itself, and may wait for the answer at its end.
    server.call(server.facts.roots);
    const pid_t process = server.process().pid();
    server.run(server.client().close());
    BOOST_TEST_REQUIRE(server.process().exit().has_value());
    BOOST_TEST(server.process().exit()->is_success());
    BOOST_TEST(!is_running(process));
    BOOST_TEST(::waitpid(process, nullptr, WNOHANG) == -1); // no zombie is left
    BOOST_TEST(errno == ECHILD);
}

BOOST_AUTO_TEST_SUITE_END()
