// Topics of extensions: what waits for clients that do not read.

#include "unit/mcp/server/topics_fixture.hpp"

#include <partyline/session/memory_budget.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mcp = partyline::mcp;
using namespace partyline::test;

namespace {

constexpr int many_long = 200; // publications of 1000 bytes: more than the connection holds

constexpr const char* untold =
    "notifications/jobs/state: too much waits for the client, which is not told of all that changes";

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_topics_slow_client, topics_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_is_told_the_last)
{
    options.bounds.outbox_soft_bytes = 1;
    add();
    begin();
    listen("5", R"({"jobIds":["4"]})");
    stop_reading();
    const std::string padding(1000, 'p');
    for (int i = 0; i <= many_long; ++i) {
        states.publish("4", partyline::named("n", i, "padding", padding));
        settle();
    }
    resume_reading();
    settle();
    const std::vector<std::string> told = take_lines();
    BOOST_REQUIRE(!told.empty());
    BOOST_TEST(told.size() < 150u);
    BOOST_TEST(contains(told.back(), R"("n":200,)"));
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_client_that_does_not_read_is_bounded)
{
    mcp::server_options small;
    small.max_subscription_bytes = 3000;
    options.bounds.outbox_soft_bytes = 1;
    add_to(std::move(small));
    begin();
    listen("5", R"({"jobIds":["4","7"]})");
    stop_reading();
    for (int i = 0; i != many_long; ++i) // one is being told, the next one waits, and is replaced
        publish_long("4", i);
    BOOST_TEST(logged.empty());
    publish_long("7", 1);
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == untold);
    publish_long("7", 2);
    publish_long("4", many_long);
    BOOST_TEST(logged.size() == 1u);
    resume_reading();
    settle();
    const std::vector<std::string> told = take_lines();
    BOOST_REQUIRE(!told.empty());
    BOOST_TEST(contains(told.back(), R"("n":200,)"));
    publish_long("7", 3); // there is room again
    BOOST_TEST(contains(receive(), R"("n":3,)"));
    BOOST_TEST(logged.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_waits_for_the_session_is_bounded)
{
    mcp::server_options small;
    small.max_subscription_bytes = 3000;
    add_to(std::move(small));
    begin();
    listen("5", R"({"jobIds":["4","7"]})");
    const std::string padding(2000, 'p');
    // The session takes none of these yet. It would take key 4 first.
    states.publish("7", partyline::named("n", 1, "padding", padding));
    states.publish("4", partyline::named("n", 2, "padding", padding));
    states.publish("7", partyline::named("n", 3, "padding", padding)); // replaces the first
    BOOST_TEST(logged.empty());
    BOOST_TEST(contains(receive(), R"("n":3,)"));
    expect_silence();
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == untold);
}

BOOST_AUTO_TEST_CASE(what_waits_counts_in_the_budget)
{
    const auto budget = std::make_shared<partyline::memory_budget>(std::size_t(1) << 20);
    options.budget = budget;
    options.bounds.outbox_soft_bytes = 1;
    add();
    begin();
    listen("5", R"({"jobIds":["4","7"]})");
    stop_reading();
    for (int i = 0; i != many_long; ++i)
        publish_long("4", i);
    const std::size_t before = budget->used();
    publish_long("7", 1);
    BOOST_TEST(budget->used() > before + 900);
    publish("7", 2); // replaces it
    settle();
    BOOST_TEST(budget->used() < before + 100);
    budget->add(budget->limit()); // by others
    states.publish("7", {{"long", std::string(partyline::memory_budget::always, 'l')}});
    settle();
    BOOST_TEST(logged.size() == 1u);
    budget->sub(budget->limit());
    resume_reading();
    settle();
    const std::vector<std::string> told = take_lines();
    BOOST_REQUIRE(!told.empty());
    BOOST_TEST(contains(told.back(), R"("n":)"));
}

BOOST_AUTO_TEST_CASE(what_takes_no_room_does_not_have_the_lack_of_it_logged_again)
{
    const auto budget = std::make_shared<partyline::memory_budget>(std::size_t(1) << 20);
    options.budget = budget;
    add();
    begin();
    listen("5", R"({"jobIds":["4"],"jobsChanged":true})");
    for (int i = 0; i != 2; ++i) {
        budget->add(budget->limit()); // by others
        states.publish("4", {{"long", std::string(partyline::memory_budget::always, 'l')}});
        any.publish("");
        settle();
        budget->sub(budget->limit());
        settle();
    }
    const std::vector<std::string> told = take_lines();
    BOOST_TEST(told.size() == 2u);
    for (const std::string& line : told)
        BOOST_TEST(contains(line, "notifications/jobs/changed"), line);
    BOOST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0] == untold);
}

BOOST_AUTO_TEST_CASE(a_key_that_changes_often_does_not_keep_others_waiting)
{
    options.bounds.outbox_soft_bytes = 1;
    add();
    begin();
    listen("5", R"({"jobIds":["4","7"]})");
    stop_reading();
    for (int i = 0; i != many_long; ++i)
        publish_long("4", i);
    publish("7", 1);
    settle();
    resume_reading();
    settle();
    const std::vector<std::string> told = take_lines();
    BOOST_TEST(std::count(told.begin(), told.end(), job_state("5", 1)) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
