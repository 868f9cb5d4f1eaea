#include "fleet/channel/channel_table.hpp"

#include <partyline/protocol/errc.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace partyline::fleet;

namespace {

struct table_fixture : channel_table::user {
    void publish_now(std::vector<publication> all) override
    {
        for (const publication& one : all)
            said.push_back(one.subject);
    }
    void on_channel_end(std::uint64_t number) override { ended.push_back(number); }
    void on_due_changed() override {}

    std::shared_ptr<channel> add(std::uint64_t number)
    {
        channel_core rules({{"F1", number}, "W1.3", "to"}, now);
        const std::shared_ptr<channel::carrier> by(life, &table);
        auto one = std::make_shared<channel>(context.get_executor(), by, std::move(rules));
        table.add(number, one);
        return one;
    }
    /// Says that the worker has taken what was never said.
    void says_nonsense(std::uint64_t number)
    {
        channel_message one;
        one.id = {"F1", number};
        one.run = "W1.3";
        one.taken = one.has = 9;
        table.on_message(number, write_channel_message(one), now);
    }

    boost::asio::io_context context;
    const channel_table::time_point now = std::chrono::steady_clock::now();
    channel_table table{channel_table::side::front, "F1", *this};
    const std::shared_ptr<int> life = std::make_shared<int>(0); // channels know the table weakly
    std::vector<std::string> said;
    std::vector<std::uint64_t> ended;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(fleet_channel_table_suite, table_fixture, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(what_an_open_channel_has_dropped_is_counted_at_once_and_once)
{
    const auto one = add(7);
    says_nonsense(7);
    BOOST_TEST(table.dropped() == 1u);
    says_nonsense(7);
    BOOST_TEST(table.dropped() == 2u);
    table.on_message(7, "nonsense", now);
    BOOST_TEST(table.dropped() == 3u);
    one->close(nullptr);
    BOOST_TEST(table.size() == 0u);
    BOOST_TEST(table.dropped() == 3u);
}

BOOST_AUTO_TEST_CASE(channels_that_go_as_others_are_cut_off_are_passed_over)
{
    std::vector<std::shared_ptr<channel>> all;
    for (std::uint64_t number = 1; number <= 3; ++number)
        all.push_back(add(number));
    for (const auto& one : all)
        one->drop(); // seen when something happens to it
    table.cut_off_all({partyline::errc::peer_gone, {}, true, true});
    BOOST_TEST(table.size() == 0u);
    BOOST_TEST(ended == std::vector<std::uint64_t>({1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_speaks_in_a_session_that_there_is_not_is_told_so)
{
    says_nonsense(7);
    BOOST_TEST(said == std::vector<std::string>({run_session_subject("W1.3")}), boost::test_tools::per_element());
    BOOST_TEST(table.dropped() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
