#include "fleet/channel/channel.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <vector>

using namespace partyline::fleet;
using namespace std::chrono_literals;

namespace {

struct listening_carrier final : channel::carrier {
    void on_changed(channel& one) override
    {
        for (const publication& said : one.core()->take_effects())
            last = read_channel_message(said.text()).value->is;
    }
    channel_message::kind last = channel_message::kind::piece;
};

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_channel_suite, *boost::unit_test::timeout(30))

BOOST_AUTO_TEST_CASE(one_that_is_closed_waits_10_seconds_for_a_side_that_never_has_all)
{
    boost::asio::io_context context;
    const auto by = std::make_shared<listening_carrier>();
    const channel::time_point begin = std::chrono::steady_clock::now();
    channel_core rules({{"F1", 7}, "W1.3", "front"}, begin);
    const auto one = std::make_shared<channel>(context.get_executor(), by, std::move(rules));
    BOOST_TEST(one->close_send());
    one->close(nullptr);
    channel_message answer;
    answer.id = {"F1", 7};
    answer.run = "W1.3";
    for (const auto after : {3s, 6s, 9s})
        one->on_message(answer, begin + after);
    BOOST_TEST(!one->is_over());
    BOOST_REQUIRE(one->next_due());
    BOOST_TEST((*one->next_due() <= begin + 11s));
    one->on_message(answer, begin + 12s);
    BOOST_TEST(one->is_over());
    BOOST_TEST((by->last == channel_message::kind::abort));
    context.run();
}

BOOST_AUTO_TEST_SUITE_END()
