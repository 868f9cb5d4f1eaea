// A session over a bus, both sides of it with their drivers, while one allocation fails, each in turn: what there was
// no memory to say is said again, or the session ends; nobody waits for ever, and nothing comes twice.

#include "faults/allocation_faults.hpp"
#include "fleet/channel/channel_stream.hpp"
#include "fleet/channel/channel_table.hpp"
#include "fleet/due_timer.hpp"
#include "session_access.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/protocol/framing.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;
using fleet::channel;
using fleet::channel_core;
using fleet::channel_table;

const std::string long_params = "[\"" + std::string(40'000, 'x') + "\"]";

fleet::channel_limits quick_limits()
{
    fleet::channel_limits made;
    made.retry_interval = 4ms;
    made.max_retry_interval = 8ms;
    made.idle = 20ms;
    made.blocked_idle = 10ms;
    made.answer_delay = 1ms;
    return made;
}

/// A front, or a worker, with one session: what it says comes at the other one.
class side final : public std::enable_shared_from_this<side>, private channel_table::user {
public:
    side(asio::io_context& context, channel_table::side is, std::string name)
        : context_(context), table_(is, std::move(name), *this), timer_(context.get_executor())
    {
    }

    void open(std::string to, std::shared_ptr<const dispatcher> methods)
    {
        const std::shared_ptr<channel::carrier> by(shared_from_this(), &table_);
        channel_core rules({{"F1", 1}, "W1.1", std::move(to)}, now(), quick_limits());
        const auto one = std::make_shared<channel>(context_.get_executor(), by, std::move(rules));
        session_options how;
        how.executor_is_serial = true;
        how.at_end_of_input = end_of_input::peer_gone;
        how.close_timeout = how.cancel_grace = 200ms;
        how.log = [](std::string_view) {};
        auto lines = std::make_unique<line_framing>(how.bounds);
        session_.emplace(detail::session_access::make(
            std::make_shared<stream_driver>(context_.get_executor(), std::make_unique<fleet::channel_stream>(one),
                                            std::move(methods), std::move(how), std::move(lines))));
        table_.add(1, one);
    }
    session& own() { return *session_; }
    std::size_t open_channels() const { return table_.size(); }
    void on_time()
    {
        table_.on_time(now());
        wait();
    }

    side* other = nullptr;

private:
    static channel::time_point now() { return std::chrono::steady_clock::now(); }
    void publish_now(std::vector<fleet::publication> all) override
    {
        const unharmed ours;
        for (const fleet::publication& one : all)
            asio::post(context_, [to = other, payload = one.payload] { to->hear(*payload); });
    }
    void hear(const std::string& payload)
    try {
        table_.on_message(1, payload, now());
        table_.on_time(now());
        wait();
    } catch (const std::bad_alloc&) { // as the services take it
    }
    void on_channel_end(std::uint64_t) override {}
    void on_due_changed() override { wait(); }
    void wait() { timer_.wait_until(table_.next_due(), weak_from_this(), &side::on_time); }

    asio::io_context& context_;
    channel_table table_;
    fleet::due_timer timer_;
    std::optional<session> session_;
};

/// What came of a session.
struct record {
    std::vector<std::string> replies; // "": it has failed
    std::vector<std::string> notes;
    std::size_t ends = 0;
    std::vector<std::string> escaped; // out of `io_context::run`
    std::size_t left = 0;             // channels
    std::size_t failed = 0;           // allocations
    bool is_over = true;
};

std::shared_ptr<const dispatcher> methods_of(record& made)
{
    auto methods = std::make_shared<method_table>();
    methods->add("echo", [](json_text params) { return params; });
    methods->add_notification("note", [&made](std::string text) {
        const unharmed ours;
        made.notes.push_back(std::move(text));
    });
    return methods;
}

void call(session& by, record& made)
{
    by.call("echo",
            call_params(json_text(long_params)))([&by, &made](error_code failed, call_result<json_text> result) {
        const unharmed ours;
        made.replies.push_back(!failed && result ? result->text() : "");
        if (made.replies.size() == 2)
            by.close();
    });
}

// Timers and operations outlive an exception.
void run(asio::io_context& context, record& made)
{
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!context.stopped()) {
        if (std::chrono::steady_clock::now() >= end) {
            made.is_over = false;
            return;
        }
        try {
            context.run_for(100ms);
        } catch (const std::exception& e) {
            const unharmed ours;
            made.escaped.emplace_back(e.what());
        }
    }
}

void use(side& front, side& worker, record& made, asio::io_context& context, std::size_t fails_at)
{
    const auto methods = methods_of(made);
    front.open("pl.w.W1.m.1", std::make_shared<const method_table>());
    worker.open("pl.r.F1.m.1", methods);
    for (side* const one : {&front, &worker})
        one->own().async_run([&made](error_code) { ++made.ends; });
    const armed_allocations armed({.fails_at = fails_at});
    try {
        for (const char* const text : {"0", "1", "2"})
            front.own().notify("note", args(text))([](error_code, auto) {});
        call(front.own(), made);
        call(front.own(), made);
    } catch (const std::bad_alloc&) { // the caller is told
        front.own().stop();
    }
    run(context, made);
    made.failed = armed.failed();
}

record perform_session(std::size_t fails_at)
{
    record made;
    asio::io_context context(1);
    const auto front = std::make_shared<side>(context, channel_table::side::front, "F1");
    const auto worker = std::make_shared<side>(context, channel_table::side::worker, "W1");
    front->other = worker.get();
    worker->other = front.get();
    use(*front, *worker, made, context, fails_at);
    made.left = front->open_channels() + worker->open_channels();
    return made;
}

void check(const record& made)
{
    BOOST_TEST(made.is_over);
    BOOST_TEST(made.ends == 2u);
    BOOST_TEST(made.left == 0u);
    BOOST_TEST(made.escaped.size() == 0u);
    for (const std::string& reply : made.replies)
        BOOST_TEST((reply.empty() || reply == long_params));
    for (std::size_t i = 0; i < made.notes.size(); ++i)
        BOOST_TEST(made.notes[i] == std::to_string(i));
}

} // namespace

BOOST_AUTO_TEST_SUITE(fleet_fault_suite, *boost::unit_test::timeout(300))

BOOST_AUTO_TEST_CASE(a_session_without_memory_ends_or_goes_on)
{
    const record clean = perform_session(0);
    check(clean);
    BOOST_TEST(clean.replies.size() == 2u);
    BOOST_TEST(clean.notes.size() == 3u);
    std::size_t went_on = 0;
    std::size_t runs = 0;
    for (std::size_t n = 1;; ++n) {
        const record made = perform_session(n);
        if (made.failed == 0)
            break;
        ++runs;
        BOOST_TEST_CONTEXT("allocation " << n)
        {
            check(made);
        }
        went_on += made.replies == clean.replies ? 1 : 0;
    }
    BOOST_TEST_MESSAGE(runs << " runs, of which " << went_on << " went on");
    BOOST_TEST(runs > 50u);
    BOOST_TEST(went_on > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace partyline::test
