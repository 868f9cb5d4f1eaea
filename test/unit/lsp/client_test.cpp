#include "language_server.hpp"
#include "support/few_descriptors.hpp"
#include "support/sanitized.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace asio = boost::asio;
namespace json = boost::json;
using namespace partyline::test;
using partyline::errc;
using partyline::request_context;
using partyline::lsp::client_info;
using partyline::lsp::trace_level;

BOOST_FIXTURE_TEST_SUITE(lsp_client, language_server, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(what_initialize_says_is_kept)
{
    initialize(
        R"({"processId":null,"trace":"messages","capabilities":{"window":{"workDoneProgress":true},"x":{"y":1}}})");
    const auto known = client_info::of(server());
    BOOST_TEST(!known->process_id());
    BOOST_TEST((known->trace() == trace_level::messages));
    BOOST_TEST(known->has_capability("window.workDoneProgress"));
    for (const char* path : {"window", "window.workDoneProgress.more", "x.y", "unknown", "", ".", "window."})
        BOOST_TEST(!known->has_capability(path), path);
    BOOST_TEST(known->capabilities().at("x").at("y") == json::value(1));
}

BOOST_AUTO_TEST_CASE(a_client_that_says_nothing_has_nothing)
{
    initialize("[1]");
    const auto known = client_info::of(server());
    BOOST_TEST((known->trace() == trace_level::off));
    BOOST_TEST(known->capabilities().is_null());
    BOOST_TEST(!known->has_capability("window"));
}

BOOST_AUTO_TEST_CASE(set_trace_changes_what_log_trace_says)
{
    using partyline::lsp::log_trace;
    initialize();
    log_trace(server(), "unheard", "at all");
    expect_silence();
    send(notification("$/setTrace", R"({"value":"messages"})"));
    settle();
    log_trace(server(), "heard", "in part");
    expect(notification("$/logTrace", R"({"message":"heard"})"));
    send(notification("$/setTrace", R"({"value":"verbose"})"));
    settle();
    log_trace(server(), "heard", "wholly");
    expect(notification("$/logTrace", R"({"message":"heard","verbose":"wholly"})"));
    log_trace(server(), "heard");
    expect(notification("$/logTrace", R"({"message":"heard"})"));
    for (const char* params : {R"({"value":"loud"})", R"({"value":null})", "{}", "[]"})
        send(notification("$/setTrace", params));
    settle();
    BOOST_TEST(logged.empty());
    BOOST_TEST((client_info::of(server())->trace() == trace_level::verbose));
    send(notification("$/setTrace", R"({"value":"off"})"));
    settle();
    log_trace(server(), "unheard");
    expect_silence();
}

BOOST_AUTO_TEST_CASE(a_trace_level_that_is_no_word_is_logged_and_dropped)
{
    const struct {
        const char* value;
        const char* told;
    } bad[] = {
        {"1e400", R"({"expected":"a finite number","got":"1e400","parameter":"value"})"},
        {R"({"a":[-1e999]})", R"({"expected":"a finite number","got":"-1e999","parameter":"value"})"},
        {"1", R"({"parameter":"value","expected":"string","got":"integer"})"},
        {"true", R"({"parameter":"value","expected":"string","got":"boolean"})"},
    };
    int served = 0;
    methods.add_notification("$/setTrace", [&](json::value) { ++served; });
    initialize(R"({"trace":"messages"})");
    for (const auto& [value, told] : bad) {
        logged.clear();
        send(notification("$/setTrace", "{\"value\":" + std::string(value) + '}'));
        expect_silence();
        BOOST_TEST_REQUIRE(logged.size() == 1u, value);
        BOOST_TEST(logged[0] == "dropped the notification \"$/setTrace\": Invalid params " + std::string(told));
    }
    BOOST_TEST(served == 0);
    BOOST_TEST(server().counters().dropped == std::size(bad));
    BOOST_TEST((client_info::of(server())->trace() == trace_level::messages));
    send(request("1", "echo", "[]"));
    expect(result("1", "[]"));
}

BOOST_AUTO_TEST_CASE(handlers_can_ask_for_it)
{
    methods.add("trace", [](request_context& served, json::value) { return int(client_info::of(served)->trace()); });
    initialize(R"({"trace":"verbose"})");
    send(request("1", "trace"));
    expect(result("1", "2"));
}

BOOST_AUTO_TEST_CASE(there_is_none_in_another_profile)
{
    options.profile = &partyline::plain_profile;
    BOOST_CHECK_THROW(client_info::of(server()), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_session_needs_a_profile)
{
    options.profile = nullptr;
    BOOST_CHECK_THROW(server(), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_client_whose_process_ends_ends_the_session)
{
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) { // until its end of the pipe is the last one
        ::close(ends[1]);
        char c;
        ::_exit(static_cast<int>(::read(ends[0], &c, 1)));
    }
    ::close(ends[0]);
    initialize("{\"processId\":" + std::to_string(child) + '}');
    send(request("1", "wait"));
    expect_silence();
    BOOST_TEST(!has_ended());
    BOOST_TEST(client_info::of(server())->process_id().value() == child);
    ::close(ends[1]);
    BOOST_TEST((wait_end() == errc::peer_gone));
    BOOST_TEST(logged.empty());
    ::waitpid(child, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(a_client_whose_process_is_dead_already_ends_the_session)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0); // there is no such process any more
    send(request("0", "initialize", "{\"processId\":" + std::to_string(child) + '}'));
    BOOST_TEST((wait_end() == errc::peer_gone));
    BOOST_TEST(logged.empty());
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_watched_is_logged_and_ignored,
                     *boost::unit_test::precondition(can_set_descriptor_limit))
{
    if (is_sanitized)
        return; // a sanitizer needs descriptors of its own
    add_initialize();
    start(); // what it needs descriptors for, it has
    const std::string self = std::to_string(::getpid());
    {
        const few_descriptors lack(0);
        send(request("0", "initialize", "{\"processId\":" + self + '}'));
        expect(result("0", "\"ready\""));
    }
    BOOST_TEST_REQUIRE(logged.size() == 1u);
    BOOST_TEST(logged[0].starts_with("can't watch the client's process " + self + ": "));
    send(request("1", "echo", "[]"));
    expect(result("1", "[]"));
}

BOOST_AUTO_TEST_CASE(numbers_that_no_process_has_are_ignored)
{
    for (const char* id : {"0", "-1", "4294967296", "-9007199254740993", "null"}) {
        language_server other;
        other.initialize("{\"processId\":" + std::string(id) + '}');
        BOOST_TEST(!client_info::of(other.server())->process_id(), id);
        BOOST_TEST(other.logged.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_process_id_may_be_written_with_a_fraction_of_zero)
{
    const pid_t parent = ::getppid();
    initialize("{\"processId\":" + std::to_string(parent) + ".0}");
    BOOST_TEST(client_info::of(server())->process_id().value() == parent);
}

BOOST_AUTO_TEST_CASE(an_empty_array_is_how_some_write_that_they_have_no_capabilities)
{
    initialize(R"({"capabilities":[]})");
    BOOST_TEST(client_info::of(server())->capabilities().is_null());
}

BOOST_AUTO_TEST_CASE(capabilities_are_registered_and_taken_back)
{
    using partyline::lsp::registration;
    initialize();
    const std::vector<registration> all{{"1", "textDocument/hover", json::object{{"x", 1}}}, {"2", "a/b"}};
    partyline::lsp::register_capabilities(server(), all)(asio::detached);
    expect(R"({"jsonrpc":"2.0","id":1,"method":"client/registerCapability","params":{"registrations":[)"
           R"({"id":"1","method":"textDocument/hover","registerOptions":{"x":1}},{"id":"2","method":"a/b"}]}})");
    partyline::lsp::unregister_capabilities(server(), all)(asio::detached);
    expect(R"({"jsonrpc":"2.0","id":2,"method":"client/unregisterCapability","params":{"unregisterations":[)"
           R"({"id":"1","method":"textDocument/hover"},{"id":"2","method":"a/b"}]}})");
}

BOOST_AUTO_TEST_SUITE_END()
