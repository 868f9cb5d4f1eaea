#include "async/keep_running.hpp"
#include "waits.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>

namespace asio = boost::asio;
using partyline::keep_running;

namespace {

struct kept {
    explicit kept(asio::io_context& on) : life(on.get_executor()) {}

    keep_running life;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(keep_running_suite, partyline::test::stepped_context)

BOOST_AUTO_TEST_CASE(from_start_to_stop_the_object_lives_and_its_context_runs)
{
    auto own = std::make_shared<kept>(context);
    const std::weak_ptr<kept> watched = own;
    own->life.start(own);
    own.reset();
    run();
    BOOST_TEST((!watched.expired() && !context.stopped()));
    watched.lock()->life.stop();
    BOOST_TEST(!watched.expired()); // not from within
    run();
    BOOST_TEST((watched.expired() && context.stopped()));
}

BOOST_AUTO_TEST_CASE(a_context_that_is_destroyed_lets_go_of_the_object)
{
    std::optional<asio::io_context> short_lived(std::in_place);
    auto own = std::make_shared<kept>(*short_lived);
    const std::weak_ptr<kept> watched = own;
    own->life.start(own);
    own.reset();
    short_lived.reset();
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(an_object_can_be_kept_after_the_start)
{
    auto own = std::make_shared<kept>(context);
    const std::weak_ptr<kept> watched = own;
    own->life.start();
    own->life.keep(own);
    own.reset();
    run();
    BOOST_TEST((!watched.expired() && !context.stopped()));
    watched.lock()->life.stop();
    run();
    BOOST_TEST((watched.expired() && context.stopped()));
}

BOOST_AUTO_TEST_CASE(a_stopped_one_keeps_nothing)
{
    auto own = std::make_shared<kept>(context);
    const std::weak_ptr<kept> watched = own;
    own->life.start();
    own->life.stop();
    run();
    own->life.keep(own);
    own.reset();
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(a_context_that_is_destroyed_releases_an_object_that_was_kept_after_the_start)
{
    std::optional<asio::io_context> short_lived(std::in_place);
    auto own = std::make_shared<kept>(*short_lived);
    const std::weak_ptr<kept> watched = own;
    own->life.start();
    own->life.keep(own);
    own.reset();
    short_lived.reset();
    BOOST_TEST(watched.expired());
}

BOOST_AUTO_TEST_CASE(one_that_was_not_started_keeps_nothing)
{
    keep_running idle(context.get_executor());
    idle.stop();
    run();
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_SUITE_END()
