#include "unit/testing/methods.hpp"
#include "unit/testing/texts.hpp"

#include <partyline/lsp/profile.hpp>
#include <partyline/session.hpp>
#include <partyline/testing.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace json = boost::json;
using namespace kit;
using boost::system::system_error;
using partyline::errc;
using partyline::error_code;
using partyline::named;
using partyline::test::client;
using partyline::test::client_options;

namespace {

/// A profile that does not answer what is cancelled, as MCP does.
class silent_protocol final : public partyline::profile {
public:
    constexpr silent_protocol() noexcept
    {
        answers_cancelled = false;
        cancel_method = "cancelled";
        progress_method = "told";
    }
};
constexpr silent_protocol silent_profile;

} // namespace

BOOST_AUTO_TEST_SUITE(test_client_profiles, *boost::unit_test::timeout(90))

BOOST_AUTO_TEST_CASE(a_language_server_is_initialized_as_by_an_editor)
{
    partyline::method_table table = methods();
    table.add("initialize", [](json::value) { return json::object{{"capabilities", json::object()}}; });
    client_options options;
    options.server.profile = &partyline::lsp::profile;
    client c(std::move(table), std::move(options));
    BOOST_TEST(c.error_of("add", partyline::args(1, 2)).code == -32002);
    c.call<json::value>("initialize", named("processId", nullptr, "capabilities", json::object()));
    c.notify("initialized", named());
    auto counting = c.start<int>("count", named("to", 2));
    BOOST_TEST(counting.get() == 2);
    BOOST_TEST(texts(counting.progress()) == (strings{"1", "2"}), boost::test_tools::per_element());
    auto gone = c.start<int>("never");
    gone.cancel();
    BOOST_TEST(gone.error().code == partyline::error_codes::request_cancelled);
    c.call<void>("shutdown");
    c.notify("exit");
    BOOST_TEST(c.end() == error_code());
}

BOOST_AUTO_TEST_CASE(a_language_server_that_is_left_says_so)
{
    client_options options;
    options.server.profile = &partyline::lsp::profile;
    client c(methods(), std::move(options));
    c.notify("exit");
    BOOST_TEST(c.end() == make_error_code(errc::exit_without_shutdown));
}

BOOST_AUTO_TEST_CASE(names_of_a_profile_are_spoken_and_what_it_does_not_answer_is_not_waited_for)
{
    client_options options;
    options.server.profile = &silent_profile;
    client c(methods(), std::move(options));
    auto counting = c.start<int>("count", partyline::args(2));
    BOOST_TEST(counting.get() == 2);
    BOOST_TEST(texts(counting.progress()) == (strings{"1", "2"}), boost::test_tools::per_element());
    auto gone = c.start<int>("never");
    c.run_until_idle();
    gone.cancel();
    try {
        gone.get();
        BOOST_ERROR("it has a result");
    } catch (const system_error& failed) {
        BOOST_TEST(failed.code() == boost::asio::error::operation_aborted);
    }
    c.run_until_idle();
    BOOST_TEST(c.server().counters().in_flight == 0u);
    BOOST_TEST(c.server().counters().cancelled == 1u);
}

BOOST_AUTO_TEST_CASE(limits_of_the_server_are_met)
{
    client_options options;
    options.server.bounds.message_bytes = 200;
    options.server.bounds.in_flight_requests = 1;
    options.server.bounds.waiting_requests = 1;
    client c(methods(), std::move(options));
    BOOST_TEST(c.error_of("echo", partyline::args(std::string(300, 'x'))).code ==
               partyline::error_codes::invalid_request);
    auto running = c.start<int>("never");
    auto waiting = c.start<int>("add", partyline::args(1, 2));
    BOOST_TEST(c.error_of("add", partyline::args(1, 2)).code == partyline::error_codes::server_busy);
    running.cancel();
    BOOST_TEST(waiting.get() == 3);
}

BOOST_AUTO_TEST_CASE(a_server_takes_messages_beyond_the_clients_default)
{
    client_options options;
    options.time_limit = 60s; // for the megabytes, under a sanitizer
    options.server.bounds.message_bytes = std::size_t(32) << 20;
    options.server.bounds.depth = 300;
    client c(methods(), std::move(options));
    const std::string big(std::size_t(17) << 20, 'x');
    BOOST_TEST(c.call<std::vector<std::string>>("echo", partyline::args(big)).at(0).size() == big.size());
    json::value deep = nullptr;
    for (int i = 0; i < 250; ++i)
        deep = json::array{std::move(deep)};
    BOOST_TEST(c.call<json::value>("echo", partyline::call_params(deep)) == deep);
}

BOOST_AUTO_TEST_SUITE_END()
