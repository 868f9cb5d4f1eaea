// A supervised client over HTTP, whose server is started again and knows its session no more.

#include "client/fickle_server.hpp"
#include "http_fixture.hpp"

#include <partyline/http.hpp>
#include <partyline/http/client_errc.hpp>
#include <partyline/mcp/supervised_client.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

using namespace partyline;
using namespace std::chrono_literals;
using partyline::http::client_errc;
using partyline::test::asked_request;
using partyline::test::fickle_server;
namespace data = boost::unit_test::data;

namespace {

struct supervised_session_fixture {
    boost::asio::io_context context{1};
    int session = 1;       // the one that the server knows
    int on_lost = 404;     // what it answers to others
    bool is_picky = false; // answers calls by 400
    bool has_stream = false;
    mcp::supervised_client_options options;
    fickle_server server{context, [this](const asked_request& asked) { return answer(asked); },
                         fickle_server::after_answer::close};
    std::optional<mcp::supervised_client> tools;

    supervised_session_fixture()
    {
        options.restart.first_delay = 1ms;
        options.on_change = [](const supervisor_status&) {};
        options.log = [](std::string_view) {};
        tools.emplace(
            context.get_executor(),
            [this] {
                mcp::client_options how;
                how.era = mcp::wanted_era::legacy;
                how.session.log = [](std::string_view) {};
                return mcp::client(http::mcp_client(context.get_executor(), server.address()), how);
            },
            options);
        tools->async_run([](error_code) {});
    }
    ~supervised_session_fixture()
    {
        tools.reset();
        context.restart();
        context.poll();
    }
    std::shared_ptr<mcp::client> ready()
    {
        call_result<std::shared_ptr<mcp::client>> now;
        bool is_there = false;
        tools->ready()([&](error_code, auto told) { now = std::move(told), is_there = true; });
        run_until([&] { return is_there; });
        return now.value();
    }
    template <class T>
    call_result<T> done(operation<T> what)
    {
        std::optional<call_result<T>> told;
        std::move(what)([&](error_code, call_result<T> result) { told.emplace(std::move(result)); });
        run_until([&] { return told.has_value(); });
        return std::move(*told);
    }
    void run_until(const std::function<bool()>& done) { test::run_until(context, done); }

private:
    std::string answer(const asked_request& asked)
    {
        const std::string method = asked.member("method");
        if (method == "initialize")
            return test::result_answer(
                asked,
                R"({"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true}},)"
                R"("serverInfo":{"name":"x","version":"1"}})",
                "Mcp-Session-Id: s" + std::to_string(session) + "\r\n");
        if (asked.field("Mcp-Session-Id") != "s" + std::to_string(session))
            return test::bare_answer(on_lost);
        if (asked.verb() == "GET")
            return has_stream ? test::event_answer("retry: 1\n\n") : test::bare_answer(405);
        if (asked.verb() == "DELETE")
            return test::bare_answer(200);
        if (method == "tools/call")
            return is_picky ? test::bare_answer(400) : test::result_answer(asked, R"({"content":[]})");
        return asked.member("id").empty() ? test::bare_answer(202) : test::result_answer(asked, "{}");
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_mcp_supervised, supervised_session_fixture, *boost::unit_test::timeout(60))

// Some servers say 400 in place of 404.
BOOST_DATA_TEST_CASE(starts_afresh_where_the_server_has_lost_the_session, data::make({404, 400}), status)
{
    on_lost = status;
    const std::shared_ptr<mcp::client> first = ready();
    BOOST_TEST(!done(first->subscribe("a:b")).code());
    ++session;
    BOOST_TEST((done(first->call_tool("any")).code() == client_errc::session_lost));
    const std::shared_ptr<mcp::client> second = ready();
    BOOST_TEST(second != first);
    BOOST_TEST((done(first->call_tool("any")).code() == client_errc::session_lost));
    BOOST_TEST(!done(second->call_tool("any")).code());
    BOOST_TEST(server.count("POST initialize") == 2);
    BOOST_TEST(server.count("POST resources/subscribe") == 2);
    BOOST_TEST(server.count("POST tools/call") == 2);
    BOOST_TEST(server.count("DELETE") == 0);
    BOOST_TEST((tools->status().last_end == client_errc::session_lost));
}

BOOST_AUTO_TEST_CASE(starts_afresh_without_a_call_where_the_server_speaks_of_its_own_accord)
{
    has_stream = true;
    const std::shared_ptr<mcp::client> first = ready();
    run_until([this] { return server.count("GET") > 1; });
    ++session;
    run_until([this] { return server.count("POST initialize") == 2; });
    BOOST_TEST(ready() != first);
}

BOOST_AUTO_TEST_CASE(goes_on_where_the_server_refuses_something_else)
{
    is_picky = true;
    const std::shared_ptr<mcp::client> first = ready();
    BOOST_TEST((done(first->call_tool("any")).code() == errc::http_status));
    BOOST_TEST(server.count("POST ping") == 1);
    BOOST_TEST(ready() == first);
    BOOST_TEST(server.count("POST initialize") == 1);
}

BOOST_AUTO_TEST_CASE(ends_its_session_with_the_server_when_it_is_closed)
{
    ready();
    tools->close();
    run_until([this] { return tools->status().state == supervisor_state::ended; });
    BOOST_TEST(server.count("DELETE") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
