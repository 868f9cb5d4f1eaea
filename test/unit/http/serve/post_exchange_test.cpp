// The answer to a POST, without a connection: of a conversation, and for somebody who asks for what there is to be
// sent.

#include "http/serve/http_service.hpp"
#include "http/serve/post_exchange.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace http = partyline::http;
using partyline::error_code;
using partyline::http::post_exchange;
using progress = http::exchange::progress;

namespace {

// Counts how often it is told that there is something to be sent.
struct noted_line final : http::reply_sink {
    void flush() override { ++flushed; }
    void begin_answer(int said, http::response_style&) noexcept override { status = said; }

    int flushed = 0;
    int status = 0;
};

// A session that lets go of a POST as soon as there is nothing more to come, from within what it is told.
struct noted_keeper final : post_exchange::keeper {
    http::response answer_ended() const override { return http::refuse(404, 1, "gone"); }
    void on_first_reply(post_exchange&) override { ++first_replies; }
    std::unique_ptr<http::exchange> open_stream(post_exchange&, http::reply_sink&) override { return nullptr; }
    void on_said(post_exchange& by) override
    {
        partyline::outlet& out = *by.out();
        out.sent(out.unsent().size());
        if (!out.is_idle())
            return;
        by.close();
        kept.reset();
    }
    void on_answered(post_exchange& by) override
    {
        by.close();
        kept.reset();
    }

    std::shared_ptr<post_exchange> kept;
    int first_replies = 0;
};

struct exchange_fixture : private partyline::conversation::host {
    exchange_fixture()
    {
        methods->add("add", [](int a, int b) { return a + b; });
        methods->add("wait", [this](partyline::request_context& own) { return wait(own); });
        methods->add("count", [this](partyline::request_context& own) { return count(own); });
        by->attach(*this);
    }
    ~exchange_fixture()
    {
        by->stop(asio::error::operation_aborted, {partyline::errc::session_closed});
        poll();
        by->detach();
    }

    partyline::task<int> wait(partyline::request_context& own)
    {
        ++waiting;
        asio::steady_timer timer(own.get_executor(), asio::steady_timer::time_point::max());
        release = [&timer] { timer.cancel(); };
        try {
            co_await timer.async_wait(asio::deferred);
        } catch (const boost::system::system_error&) { // released, or cancelled
        }
        --waiting;
        was_cancelled = own.cancelled();
        co_return 7;
    }
    partyline::task<int> count(partyline::request_context& own)
    {
        co_await own.progress(1);
        co_return co_await wait(own);
    }

    void poll()
    {
        context.restart();
        context.poll();
    }
    void let_go()
    {
        release();
        poll();
    }
    std::optional<http::response> begin(post_exchange& one, std::string_view method, std::string_view params = "[]")
    {
        const http::request_head head{};
        std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":)" +
                           std::string(params) + '}';
        return one.begin({head, std::move(text), {}, {}, {}}, http::status_rule::plain, line);
    }
    progress produce(post_exchange& one)
    {
        partyline::byte_buffer out;
        const progress how = one.produce(out);
        sent += out.view();
        return how;
    }
    std::shared_ptr<post_exchange> keep(post_exchange::place at)
    {
        // Its session lives longer here.
        const std::shared_ptr<post_exchange::keeper> owner(std::shared_ptr<void>(), &session);
        session.kept = std::make_shared<post_exchange>(*core, *by, owner, at);
        return session.kept;
    }

    // conversation::host
    void flush() override {}
    void resume_reading() override {}
    void on_end(error_code) noexcept override {}

    asio::io_context context{1};
    std::shared_ptr<http::http_service> core =
        std::make_shared<http::http_service>(context.get_executor(), http::server_options());
    std::shared_ptr<partyline::method_table> methods = std::make_shared<partyline::method_table>();
    std::shared_ptr<partyline::conversation> by = std::make_shared<partyline::conversation>(
        context.get_executor(), methods, partyline::session_options(), std::make_unique<http::event_framing>());
    noted_line line;
    noted_keeper session;
    post_exchange post{*core, *by};
    std::string sent;
    int waiting = 0;
    bool was_cancelled = false;
    std::function<void()> release;
};

constexpr std::string_view reply = R"({"jsonrpc":"2.0","id":1,"result":7})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(http_post_exchange, exchange_fixture, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_reply_alone_is_json_and_the_next_post_has_the_same_outlet)
{
    BOOST_TEST(!begin(post, "add", "[3,4]").has_value());
    const partyline::outlet* const first = post.out();
    BOOST_TEST(line.flushed == 0); // who hands it in asks by himself
    BOOST_TEST((produce(post) == progress::done));
    BOOST_TEST(line.status == 200);
    BOOST_TEST(sent.ends_with(reply));
    BOOST_TEST(!post.is_awaited());
    BOOST_TEST(!begin(post, "add", "[3,4]").has_value());
    BOOST_TEST((produce(post) == progress::done));
    BOOST_TEST(post.out() == first);
}

BOOST_AUTO_TEST_CASE(a_reply_that_comes_later_is_asked_for_then)
{
    BOOST_TEST(!begin(post, "wait").has_value());
    BOOST_TEST((produce(post) == progress::waiting));
    let_go();
    BOOST_TEST(line.flushed > 0);
    BOOST_TEST((produce(post) == progress::done));
    BOOST_TEST(sent.ends_with(reply));
}

BOOST_AUTO_TEST_CASE(more_than_a_reply_is_a_stream_of_events)
{
    BOOST_TEST(!begin(post, "count").has_value());
    BOOST_TEST((produce(post) == progress::waiting));
    BOOST_TEST(post.is_event_stream());
    BOOST_TEST(sent.find("Content-Type: text/event-stream") != sent.npos);
    let_go();
    BOOST_TEST((produce(post) == progress::done));
    BOOST_TEST(sent.ends_with("event: message\ndata: " + std::string(reply) + "\n\n\r\n0\r\n\r\n"));
    BOOST_TEST(!post.is_event_stream());
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_without_a_session_cancels)
{
    BOOST_TEST(!begin(post, "wait").has_value());
    post.on_client_gone();
    poll();
    BOOST_TEST(was_cancelled);
    BOOST_TEST(waiting == 0);
}

BOOST_AUTO_TEST_CASE(a_conversation_that_ends_in_silence_is_answered_503)
{
    BOOST_TEST(!begin(post, "wait").has_value());
    post.end();
    BOOST_TEST(line.flushed == 1);
    BOOST_TEST((produce(post) == progress::done));
    BOOST_TEST(line.status == 503);
}

BOOST_AUTO_TEST_CASE(in_a_session_the_client_is_told_so_as_the_session_says)
{
    const auto one = keep(post_exchange::place::later);
    BOOST_TEST(!begin(*one, "wait").has_value());
    one->close();
    one->end();
    BOOST_TEST((produce(*one) == progress::done));
    BOOST_TEST(line.status == 404);
}

BOOST_AUTO_TEST_CASE(the_first_reply_of_a_session_is_told_to_it)
{
    const auto one = keep(post_exchange::place::first);
    BOOST_TEST(!begin(*one, "add", "[3,4]").has_value());
    BOOST_TEST((produce(*one) == progress::done));
    BOOST_TEST(session.first_replies == 1);
    BOOST_TEST(!session.kept);
}

// Also where the session holds the last reference, and lets go of it from within what it is told.
BOOST_AUTO_TEST_CASE(in_a_session_a_call_goes_on_without_its_client)
{
    std::shared_ptr<post_exchange> one = keep(post_exchange::place::later);
    const std::weak_ptr<post_exchange> watched = one;
    BOOST_TEST(!begin(*one, "wait").has_value());
    one->on_client_gone();
    one.reset();
    BOOST_TEST(waiting == 1);
    let_go();
    BOOST_TEST(!was_cancelled);
    BOOST_TEST(watched.expired());
    BOOST_TEST(line.flushed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
