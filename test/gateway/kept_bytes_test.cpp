// What clients make the gateway keep is bounded.

#include "compared_clients.hpp"
#include "fifo_server.hpp"
#include "gateway/handshake.hpp"
#include "gateway/kept_bytes.hpp"
#include "gateway/resource_watchers.hpp"
#include "running_gateway.hpp"
#include "support/sanitized.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

using gateway::kept_bytes;
using gateway::resource_watchers;
using partyline::json_text;
using partyline::memory_budget;
using partyline::test::compared_client;
using partyline::test::fifo_server;
using partyline::test::http_client;
using partyline::test::running_gateway;

namespace {

constexpr std::size_t all_of_one = kept_bytes::most_of_one - kept_bytes::overhead;

std::string subscription_text(std::size_t uri_bytes)
{
    return R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:)" +
           std::string(uri_bytes - 2, 'x') + "\"}}";
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateway_kept_bytes)

// rule: security.shared.kept
BOOST_AUTO_TEST_CASE(each_client_has_its_own_bound)
{
    kept_bytes kept(nullptr);
    kept_bytes::share first = kept.take(&compared_client(0), all_of_one);
    BOOST_TEST(static_cast<bool>(first));
    BOOST_TEST(!kept.take(&compared_client(0), 0));
    BOOST_TEST(static_cast<bool>(kept.take(&compared_client(1), all_of_one)));
    BOOST_TEST(static_cast<bool>(kept.take(nullptr, all_of_one))); // what several use
    BOOST_TEST(!kept.take(&compared_client(1), all_of_one + 1));
    first = {};
    BOOST_TEST(static_cast<bool>(kept.take(&compared_client(0), all_of_one)));
}

// rule: security.shared.kept
BOOST_AUTO_TEST_CASE(all_clients_have_one_that_is_a_part_of_the_memory)
{
    const auto memory = std::make_shared<memory_budget>(10'000);
    const auto all = std::make_shared<memory_budget>(1'000, memory);
    kept_bytes of_one_server(all);
    kept_bytes of_another(all);
    {
        const auto first = of_one_server.take(&compared_client(0), 500);
        BOOST_TEST(static_cast<bool>(first));
        BOOST_TEST(memory->used() == 500 + kept_bytes::overhead);
        BOOST_TEST(!of_another.take(&compared_client(1), 500));
        BOOST_TEST(static_cast<bool>(of_another.take(&compared_client(1), 200)));
    }
    BOOST_TEST(memory->used() == 0u);
    memory->add(9'900); // of messages
    BOOST_TEST(!of_another.take(&compared_client(1), 200));
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_how_much_and_the_limit)
{
    const auto all = std::make_shared<memory_budget>(1'000);
    kept_bytes kept(all);
    const auto first = kept.take(&compared_client(0), 72);
    BOOST_TEST(kept.refusal(&compared_client(0), 3'900'000, "This subscription").message ==
               "This subscription takes 3900128 bytes, and of one client at most 1048576 are kept here, of which "
               "1048376 are left");
    const partyline::error_object for_all = kept.refusal(&compared_client(0), 1'000, "This greeting");
    BOOST_TEST(for_all.message == "This greeting takes 1128 bytes, and of all clients together at most 1000 are kept "
                                  "here, of which 800 are left");
    BOOST_TEST(for_all.code == partyline::error_codes::server_busy);
    BOOST_TEST((for_all.data == boost::json::value{{"limit", 1'000}, {"value", 1'128}}));
}

BOOST_AUTO_TEST_CASE(what_is_watched_no_more_takes_nothing)
{
    const auto all = std::make_shared<memory_budget>(1'000'000);
    kept_bytes kept(all);
    resource_watchers table;
    for (const char* uri : {"a", "a", "b", "c"})
        table.add(compared_client(0), uri, kept.take(&compared_client(0), 1));
    BOOST_TEST(all->used() == 3 * (kept_bytes::overhead + 1));
    table.remove(compared_client(0), "b");
    BOOST_TEST(all->used() == 2 * (kept_bytes::overhead + 1));
    table.remove_all(compared_client(0));
    BOOST_TEST(all->used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_level_takes_the_place_of_the_last_one)
{
    const auto all = std::make_shared<memory_budget>(1'000'000);
    kept_bytes kept(all);
    gateway::handshake told;
    for (const std::size_t bytes : {1'000, 10, 100})
        told.note_level({json_text("{}"), kept.take(nullptr, bytes)});
    BOOST_TEST(all->used() == 100 + kept_bytes::overhead);
}

// rule: security.shared.kept
BOOST_AUTO_TEST_CASE(a_large_greeting_or_level_of_one_client_keeps_no_other_one_out)
{
    fifo_server server;
    running_gateway gateway(server.behind({"--share"}));
    http_client client = gateway.connect();
    const std::string session = server.begin_session(client, true, std::string(1'000'000, 'n'));
    client.post("/mcp",
                R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info","more":")" +
                    std::string(1'000'000, 'm') + "\"}}",
                session);
    server.answer(server.read("logging/setLevel"));
    BOOST_TEST(client.response().body.find("\"result\"") != std::string::npos);
    http_client other = gateway.connect();
    const std::string second = server.begin_session(other, false);
    BOOST_TEST(second != session);
}

// rule: security.shared.kept
BOOST_AUTO_TEST_CASE(subscriptions_of_many_sessions_take_no_more_memory_than_the_bound, *boost::unit_test::timeout(100))
{
    constexpr std::size_t mebibyte = std::size_t(1) << 20;
    fifo_server server;
    running_gateway gateway(server.behind({"--share"}));
    http_client client = gateway.connect();
    std::string session = server.begin_session(client, true);
    for (int i = 0; i != 3; ++i) {
        const std::string got = client.ask("/mcp", subscription_text(3'900'000), session).body;
        BOOST_TEST(got.find("takes 3900128 bytes, and of one client at most 1048576 are kept") != got.npos, got);
    }
    const std::size_t before = gateway.process().resident_bytes();
    const std::string text = subscription_text(all_of_one);
    for (int i = 0; i != 63; ++i) { // one more is an eighth of 512 MiB, which has the greeting, too
        client.post("/mcp", text, session);
        server.answer(server.read("resources/subscribe"));
        BOOST_TEST(client.response().body.find("\"result\"") != std::string::npos);
        session = server.begin_session(client, false);
    }
    const std::string refused = client.ask("/mcp", text, session).body;
    BOOST_TEST(refused.find("of all clients together at most 67108864 are kept here") != refused.npos, refused);
    const std::size_t grown = gateway.process().resident_bytes() - before;
    BOOST_TEST_MESSAGE("63 MiB of subscriptions take " << grown / mebibyte << " MiB");
    BOOST_TEST((partyline::test::is_sanitized || grown < 100 * mebibyte)); // sanitizers keep what is freed
}

BOOST_AUTO_TEST_SUITE_END()
