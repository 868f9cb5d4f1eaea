#include "support/dialogue.hpp"

#include <partyline/lsp/handshake.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/json/object.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <optional>

namespace asio = boost::asio;
using namespace partyline::test;
using partyline::lsp::handshake;

namespace {

/// A client, whose server the test plays.
struct fixture : dialogue {
    std::optional<std::exception_ptr> ended;

    void begin(asio::awaitable<void> what)
    {
        asio::co_spawn(context, std::move(what), [this](std::exception_ptr thrown) { ended = thrown; });
    }
    void finish()
    {
        run_until([this] { return ended.has_value(); });
        if (*ended)
            std::rethrow_exception(*ended);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(lsp_handshake, fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(initialized_follows_the_answer_to_initialize)
{
    const handshake hello(boost::json::object{{"processId", nullptr}});
    begin(hello(server()));
    expect(request("1", "initialize", R"({"processId":null})"));
    expect_silence();
    BOOST_TEST(hello.result().is_null());
    send(result("1", R"({"capabilities":{"hoverProvider":true}})"));
    expect(notification("initialized", "{}"));
    finish();
    BOOST_TEST(hello.result().at("capabilities").at("hoverProvider") == boost::json::value(true));
}

BOOST_AUTO_TEST_CASE(it_can_be_said_again_and_the_last_result_counts_for_every_copy)
{
    std::optional<handshake> first(boost::json::object{});
    const handshake copy = *first;
    begin((*first)(server()));
    first.reset(); // it need not live
    expect(request("1", "initialize", "{}"));
    send(result("1", "1"));
    expect(notification("initialized", "{}"));
    finish();
    BOOST_TEST(copy.result() == boost::json::value(1));
    ended.reset();
    begin(copy(server()));
    expect(request("2", "initialize", "{}"));
    send(result("2", "2"));
    expect(notification("initialized", "{}"));
    finish();
    BOOST_TEST(copy.result() == boost::json::value(2));
}

BOOST_AUTO_TEST_CASE(a_server_that_refuses_is_told_nothing_more)
{
    const handshake hello(boost::json::object{});
    begin(hello(server()));
    expect(request("1", "initialize", "{}"));
    send(R"({"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"not today"}})");
    BOOST_CHECK_EXCEPTION(finish(), partyline::rpc_error, [](const partyline::rpc_error& error) {
        return error.error().code == -32002 && error.error().message == "not today";
    });
    expect_silence();
    BOOST_TEST(hello.result().is_null());
}

BOOST_AUTO_TEST_CASE(a_server_that_goes_is_told_by_its_code)
{
    begin(handshake(boost::json::object{})(server()));
    expect(request("1", "initialize", "{}"));
    end_input();
    BOOST_CHECK_EXCEPTION(finish(), boost::system::system_error,
                          [](const auto& failed) { return failed.code() == partyline::errc::peer_closed; });
}

BOOST_AUTO_TEST_CASE(exit_follows_the_answer_to_shutdown)
{
    begin(partyline::lsp::shutdown_and_exit(server()));
    expect(request("1", "shutdown"));
    expect_silence();
    send(result("1", "null"));
    expect(notification("exit"));
    finish();
}

BOOST_AUTO_TEST_SUITE_END()
