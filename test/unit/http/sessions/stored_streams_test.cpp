// Streams of MCP sessions that are resumed by what an event store has.

#include "http_fixture.hpp"
#include "support/scripted_store.hpp"

#include <partyline/mcp/mcp.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace asio = boost::asio;
namespace mcp = partyline::mcp;
using partyline::http::stored_events;
using partyline::test::http_client;
using partyline::test::http_response;
using partyline::test::scripted_store;

namespace {

std::string chat_call(std::string_view tool)
{
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{}}})";
}

std::size_t occurrences(std::string_view what, std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size()))
        ++count;
    return count;
}

// Of the four things that "chat" says the memory keeps two.
struct store_fixture : partyline::test::http_fixture {
    using way = scripted_store::way;

    store_fixture()
    {
        options.event_store = store;
        options.mcp.stream_events = 2;
        server.add_tool("chat", "Says four things at once.", [](mcp::context& own) { return chat(own); });
        server.add_tool("tell", "Says three things, waits, and says the fourth.",
                        [this](mcp::context& own) { return tell(own); });
    }

    static partyline::task<std::string> chat(mcp::context& own)
    {
        for (const char* text : {"first", "second", "third"})
            static_cast<void>(own.log(mcp::log_level::error, text));
        co_return "fourth";
    }
    partyline::task<std::string> tell(mcp::context& own)
    {
        for (const char* text : {"first", "second", "third"})
            static_cast<void>(own.log(mcp::log_level::error, text));
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        release = [&timer] { timer.cancel(); };
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) {
        }
        release = nullptr;
        co_return "fourth";
    }

    http_client begin()
    {
        served().add_mcp("/mcp", server);
        start();
        return connect();
    }
    // Begins a session, and returns the field that names it.
    static std::string greet(http_client& client)
    {
        const http_response got = client.ask(
            "/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
        BOOST_TEST_REQUIRE(got.status == 200);
        const std::string field = "Mcp-Session-Id: " + got.field("mcp-session-id") + "\r\n";
        client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field);
        return field;
    }
    // Its stream is in the store, to its end.
    void chat_by(http_client& client, const std::string& session)
    {
        const std::size_t before = store->complete_streams();
        BOOST_TEST_REQUIRE(client.ask("/mcp", chat_call("chat"), session).status == 200);
        run_until([&] { return store->complete_streams() == before + 1; });
    }
    void get(http_client& by, const std::string& session, std::string_view last)
    {
        by.request("GET", "/mcp", session + "Last-Event-ID: " + std::string(last) + "\r\n");
    }
    http_response resume(const std::string& session, std::string_view last)
    {
        http_client again = connect();
        get(again, session, last);
        return again.response();
    }
    static void check_is_whole(const std::string& body)
    {
        std::size_t before = 0;
        for (const char* text : {"first", "second", "third", "fourth"}) {
            BOOST_TEST(occurrences(text, body) == 1u, text << " in " << body);
            const std::size_t at = body.find(text);
            BOOST_TEST(at > before);
            before = at;
        }
    }
    bool has_logged(std::string_view words) const
    {
        return std::any_of(logged.begin(), logged.end(),
                           [&](const std::string& line) { return line.find(words) != line.npos; });
    }

    std::shared_ptr<scripted_store> store = std::make_shared<scripted_store>();
    mcp::server server{"play", "1"};
    std::function<void()> release; // of "tell", while it waits
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_stored_streams, store_fixture, *boost::unit_test::timeout(100))

BOOST_AUTO_TEST_CASE(a_stream_that_is_longer_than_memory_is_resumed_whole)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    for (const std::size_t page : {1, 1000}) {
        store->most_events = page;
        const http_response got = resume(session, "1-0");
        BOOST_TEST(got.status == 200);
        BOOST_TEST(got.field("content-type") == "text/event-stream");
        BOOST_TEST(got.body.starts_with("id: 1-0\nretry: 3000\ndata: \n\nid: 1-1\nevent: message\ndata: {"));
        check_is_whole(got.body);
        BOOST_TEST(got.body.find("\n\nid: 1-4\n") != got.body.npos);
    }
    const std::size_t calls = store->calls.size();
    const http_response rest = resume(session, "1-2"); // memory has it
    BOOST_TEST(rest.status == 200);
    BOOST_TEST(rest.body.find("second") == rest.body.npos);
    BOOST_TEST(rest.body.find("third") != rest.body.npos);
    BOOST_TEST(store->calls.size() == calls);
}

BOOST_AUTO_TEST_CASE(a_stream_that_memory_has_forgotten_is_resumed_by_the_store_alone)
{
    options.mcp.kept_streams = 1;
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    chat_by(client, session);
    for (const std::size_t page : {1, 1000}) {
        store->most_events = page;
        check_is_whole(resume(session, "1-0").body);
        const http_response last = resume(session, "1-3");
        BOOST_TEST(last.status == 200);
        BOOST_TEST(last.body.find("third") == last.body.npos);
        BOOST_TEST(last.body.find("fourth") != last.body.npos);
    }
    const http_response none = resume(session, "1-4"); // it has had all
    BOOST_TEST(none.status == 200);
    BOOST_TEST(none.body == "id: 1-4\nretry: 3000\ndata: \n\n");
    for (const char* unknown : {"1-5", "3-0", "9-1", "nonsense"})
        BOOST_TEST(resume(session, unknown).status == 400, unknown);
    const std::size_t calls = store->calls.size();
    for (const char* unknown : {"1-1y2p0ij32e8e7", "1-1y2p0ij32e8e8", "1-3w5e11264sgsf"}) // 2^63 - 1, 2^63, 2^64 - 1
        BOOST_TEST(resume(session, unknown).status == 400, unknown);
    BOOST_TEST(store->calls.size() == calls);
}

BOOST_AUTO_TEST_CASE(what_comes_meanwhile_comes_behind_what_was_stored)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", chat_call("tell"), session);
    caller.head();
    caller.read_until("third");
    run_until([this] { return !store->calls.empty() && store->calls.back().ends_with("3"); });
    store->reads = way::stay;
    http_client again = connect();
    get(again, session, "1-0");
    run_until([this] { return store->waiting() == 1; });
    release(); // the last event comes while the store is asked
    caller.read_until("fourth");
    caller.reset();
    store->reads = way::complete;
    store->release();
    check_is_whole(again.response().body);
}

BOOST_AUTO_TEST_CASE(who_resumes_takes_the_stream_over_when_the_store_has_answered)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", chat_call("tell"), session);
    caller.head();
    caller.read_until("third");
    run_until([this] { return !store->calls.empty() && store->calls.back().ends_with("3"); });
    store->reads = way::fail;
    BOOST_TEST(resume(session, "1-0").status == 503); // and the other one goes on
    store->reads = way::complete;
    http_client again = connect();
    get(again, session, "1-0");
    BOOST_TEST(again.head().status == 200);
    const std::string stored = again.read_until("third");
    release();
    check_is_whole(stored + again.read_until("fourth"));
}

BOOST_AUTO_TEST_CASE(a_store_that_does_not_take_events_harms_nobody)
{
    http_client client = begin();
    for (const way how : {way::fail, way::throw_at_once, way::no_coroutine}) {
        store->appends = how;
        const std::string session = greet(client);
        check_is_whole(client.ask("/mcp", chat_call("chat"), session).body);
        BOOST_TEST(resume(session, "1-0").status == 400);
        BOOST_TEST(resume(session, "1-2").status == 200);
    }
    BOOST_TEST(has_logged("the event store has failed"));
}

BOOST_AUTO_TEST_CASE(a_store_that_never_completes_harms_no_other_call_and_no_end)
{
    store->appends = store->reads = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", chat_call("tell"), session);
    caller.head();
    caller.read_until("first"); // the rest waits for the store, 10 s at most
    BOOST_TEST(client.ask("/mcp", R"({"jsonrpc":"2.0","id":2,"method":"ping"})", session).status == 200);
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    BOOST_CHECK_THROW(caller.read_until("second"), std::runtime_error); // its answer has ended
    store->release();
    run_until([this] { return !store->calls.empty(); }); // behind the end of its session
}

BOOST_AUTO_TEST_CASE(a_slow_store_loses_nothing)
{
    store->appends = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("chat"), session);
    client.head();
    std::string heard = client.read_until("first");
    for (bool is_over = false; !is_over;) {
        run_until([&] { return store->waiting() != 0 || store->complete_streams() == 1; });
        is_over = store->complete_streams() == 1;
        store->release();
    }
    check_is_whole(heard + client.read_until("fourth"));
    check_is_whole(resume(session, "1-0").body);
    BOOST_TEST(!has_logged("dropped"));
}

BOOST_AUTO_TEST_CASE(a_stream_that_memory_forgets_is_stored_to_its_end)
{
    options.mcp.kept_streams = 0;
    store->appends = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("chat"), session);
    client.head();
    for (int i = 0; i != 3; ++i) {
        run_until([this] { return store->waiting() == 1; });
        store->release();
    }
    client.read_until("fourth");
    BOOST_TEST(store->complete_streams() == 0u);
    while (store->complete_streams() == 0) {
        run_until([this] { return store->waiting() != 0 || store->complete_streams() != 0; });
        store->release();
    }
    check_is_whole(resume(session, "1-0").body);
    client.request("DELETE", "/mcp", session);
}

BOOST_AUTO_TEST_CASE(what_is_stored_already_is_forgotten_first)
{
    options.mcp.kept_streams = 2;
    store->appends = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("chat"), session);
    client.head();
    for (int i = 0; i != 3; ++i) {
        run_until([this] { return store->waiting() == 1; });
        store->release();
    }
    client.read_until("fourth");
    run_until([this] { return store->waiting() == 1; }); // that is still to be stored
    store->appends = way::complete;
    http_client other = connect();
    for (int i = 0; i != 2; ++i)
        chat_by(other, session);
    const http_response rest = resume(session, "1-3");
    BOOST_TEST(rest.status == 200);
    BOOST_TEST(rest.body.find("fourth") != rest.body.npos);
    BOOST_TEST(std::count(store->calls.begin(), store->calls.end(), "read 4") == 0);
    check_is_whole(resume(session, "2-0").body); // by the store alone
    store->release();
}

BOOST_AUTO_TEST_CASE(who_resumes_a_stream_ends_whoever_waits_for_the_store_for_it)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    store->reads = way::wait;
    http_client first = connect();
    get(first, session, "1-0");
    run_until([this] { return store->waiting() == 1; });
    http_client second = connect();
    get(second, session, "1-0");
    BOOST_TEST(first.response().status == 503);
    run_until([this] { return store->cancelled == 1 && store->waiting() == 1; });
    store->release();
    check_is_whole(second.response().body);
}

BOOST_AUTO_TEST_CASE(who_resumes_by_what_memory_has_ends_whoever_waits_for_the_store_too)
{
    http_client client = begin();
    const std::string session = greet(client);
    http_client caller = connect();
    caller.post("/mcp", chat_call("tell"), session);
    caller.head();
    caller.read_until("third");
    run_until([this] { return !store->calls.empty() && store->calls.back().ends_with("3"); });
    store->reads = way::wait;
    http_client older = connect();
    get(older, session, "1-0");
    run_until([this] { return store->waiting() == 1; });
    http_client newer = connect();
    get(newer, session, "1-2");
    BOOST_TEST(older.response().status == 503);
    BOOST_TEST(newer.head().status == 200);
    store->release();
    release();
    newer.read_until("fourth");
}

BOOST_AUTO_TEST_CASE(a_store_that_can_not_be_read_is_answered_503)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    for (const way how : {way::fail, way::throw_at_once, way::no_coroutine}) {
        store->reads = how;
        const http_response got = resume(session, "1-0");
        BOOST_TEST(got.status == 503);
        BOOST_TEST(got.body.find("\"error\"") != got.body.npos);
    }
    BOOST_TEST(has_logged("the event store has failed"));
    store->reads = way::complete;
    check_is_whole(resume(session, "1-0").body);
}

BOOST_AUTO_TEST_CASE(a_store_that_fails_between_pages_ends_the_response_and_the_client_comes_back)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    store->most_events = 1;
    store->forge = [this](stored_events&) { store->reads = way::fail; };
    const http_response got = resume(session, "1-0");
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.body.find("first") != got.body.npos);
    BOOST_TEST(got.body.find("second") == got.body.npos);
    BOOST_TEST(got.body.find("third") == got.body.npos);
    store->forge = nullptr;
    store->reads = way::complete;
    const http_response rest = resume(session, "1-1");
    check_is_whole("the first " + rest.body);
}

BOOST_AUTO_TEST_CASE(what_a_store_makes_up_is_not_sent)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    const std::function<void(stored_events&)> ways[] = {
        [](stored_events& all) { all.events.front().message += "\n\nid: 9-9\ndata: made up"; },
        [](stored_events& all) { all.events.front().message = "made up"; },
        [](stored_events& all) { all.events.front().message.clear(); },
        [](stored_events& all) { std::reverse(all.events.begin(), all.events.end()); },
        [](stored_events& all) { all.events.erase(all.events.begin()); },
        [](stored_events& all) { all = {}; },
    };
    for (const auto& one : ways) {
        store->forge = one;
        const http_response got = resume(session, "1-0");
        BOOST_TEST(got.status == 400);
        BOOST_TEST(got.body.find("made up") == got.body.npos);
    }
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_away_has_its_read_cancelled)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    store->reads = way::wait;
    http_client again = connect();
    get(again, session, "1-0");
    run_until([this] { return store->waiting() == 1; });
    again.reset();
    run_until([this] { return store->cancelled == 1; });
    BOOST_TEST(!has_logged("event store"));
}

BOOST_AUTO_TEST_CASE(a_session_may_end_while_the_store_is_asked)
{
    http_client client = begin();
    const std::string session = greet(client);
    chat_by(client, session);
    store->reads = way::wait;
    http_client again = connect();
    get(again, session, "1-0");
    run_until([this] { return store->waiting() == 1; });
    client.request("DELETE", "/mcp", session);
    BOOST_TEST(client.response().status == 204);
    BOOST_TEST(again.response().status == 404); // at once
    run_until([this] { return store->ended.size() == 1 && store->cancelled == 1; });
    BOOST_TEST(store->ended.front() == store->streams.begin()->first.session);
}

BOOST_AUTO_TEST_CASE(a_session_gets_only_its_own_events)
{
    http_client client = begin();
    const std::string one = greet(client);
    const std::string other = greet(client);
    chat_by(client, one);
    const std::size_t calls = store->calls.size();
    BOOST_TEST(resume(other, "1-0").status == 400); // it has no such stream, so that nobody is asked
    BOOST_TEST(store->calls.size() == calls);
    BOOST_TEST(resume("Mcp-Session-Id: " + store->streams.begin()->first.session + "\r\n", "1-0").status == 404);
    chat_by(client, other);
    BOOST_TEST_REQUIRE(store->streams.size() == 2u);
    for (const auto& [key, stored] : store->streams) {
        BOOST_TEST(key.session.size() == 64u);
        BOOST_TEST(key.session.find_first_not_of("0123456789abcdef") == std::string::npos);
        BOOST_TEST(key.stream == 1u);
        BOOST_TEST(stored.events.size() == 4u);
        BOOST_TEST(stored.events.front().message.starts_with("{\"jsonrpc\":\"2.0\""));
    }
    BOOST_TEST(store->streams.begin()->first.session != store->streams.rbegin()->first.session);
}

BOOST_AUTO_TEST_CASE(the_stream_of_get_is_stored_while_nobody_reads_it)
{
    http_client client = begin();
    const std::string session = greet(client);
    for (const char* name : {"one", "two", "three"}) {
        const std::size_t calls = store->calls.size();
        server.add_tool(name, "Comes later.", [] { return "x"; });
        run_until([&] { return store->calls.size() > calls; });
    }
    http_client listener = connect();
    get(listener, session, "0-0");
    BOOST_TEST(listener.head().status == 200);
    const std::string heard = listener.read_until("id: 0-3\n");
    BOOST_TEST(occurrences("id: 0-1\n", heard) == 1u);
    BOOST_TEST(occurrences("tools/list_changed", heard) == 2u); // the third is still to come
    listener.read_until("tools/list_changed");
}

BOOST_AUTO_TEST_CASE(what_waits_for_the_store_stays_when_memory_is_short)
{
    const auto budget = std::make_shared<partyline::memory_budget>(std::size_t(1) << 20);
    options.session.budget = budget;
    options.mcp.stream_events = 8;
    store->appends = way::stay;
    http_client client = begin();
    greet(client);
    for (const char* name : {"one", "two", "three"}) { // of which nobody reads
        server.add_tool(name, "Comes later.", [] { return "x"; });
        context.poll();
    }
    run_until([this] { return store->waiting() == 1; });
    const std::size_t left = budget->left();
    budget->add(left);
    for (int i = 0; i != 2; ++i) // ticks
        BOOST_TEST_REQUIRE(context.run_one_for(std::chrono::seconds(10)) == 1u);
    budget->sub(left);
    store->appends = way::complete;
    store->release();
    run_until([this] { return !store->streams.empty() && store->streams.begin()->second.events.size() == 3; });
    BOOST_TEST(!has_logged("dropped"));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_server_waits_for_no_store)
{
    store->appends = way::wait;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("tell"), session);
    client.head();
    run_until([this] { return store->waiting() == 1; });
    served().stop();
    run_until([this] { return ended.has_value() && store->cancelled == 1; });
    BOOST_TEST(store->ended.empty());
}

BOOST_AUTO_TEST_CASE(ticks_go_on_while_the_store_is_called)
{
    store->appends = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("tell"), session);
    client.head();
    run_until([this] { return store->waiting() == 1; });
    client.reset();
    {
        http_client other = connect();
        other.request("DELETE", "/mcp", session);
        BOOST_TEST(other.response().status == 204);
    }
    run_until([this] { return served().connections() == 0 && served().sessions() == 0; });
    context.poll();
    for (int i = 0; i != 3; ++i) // ticks
        BOOST_TEST_REQUIRE(context.run_one_for(std::chrono::seconds(10)) == 1u);
    store->release();
}

BOOST_AUTO_TEST_CASE(a_call_that_never_ends_keeps_the_context_running_after_the_server)
{
    store->appends = way::stay;
    http_client client = begin();
    const std::string session = greet(client);
    client.post("/mcp", chat_call("chat"), session);
    client.head();
    run_until([this] { return store->waiting() == 1; });
    client.reset();
    served().stop();
    run_until([this] { return ended.has_value(); });
    context.poll();
    BOOST_TEST(!context.stopped());
    store->release();
    context.run_for(std::chrono::seconds(30));
    BOOST_TEST(context.stopped());
}

BOOST_AUTO_TEST_SUITE_END()
