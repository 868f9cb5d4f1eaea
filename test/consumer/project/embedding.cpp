// An Asio application that was there before: a context of its own with a pool of threads, timers and an acceptor of its
// own protocol. It gains sessions, which it calls by callbacks, futures and coroutines, and loses nothing when it shuts
// down.
#include <partyline/partyline.hpp>

#include <boost/asio.hpp>
#include <boost/asio/use_future.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using partyline::args;

namespace {

void must_be(bool right, const char* what)
{
    if (right)
        return;
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(1);
}

// What the application did before: echoes bytes, and ticks.
class old_service {
public:
    explicit old_service(asio::io_context& context)
        : acceptor_(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)), ticking_(asio::make_strand(context))
    {
        accept();
        tick();
    }
    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    int ticks() const { return ticks_; }
    void stop()
    {
        acceptor_.close();
        asio::post(ticking_.get_executor(), [this] { is_over_ = true, ticking_.cancel(); });
    }

private:
    void accept()
    {
        acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket peer) {
            if (failed)
                return;
            echo(std::make_shared<tcp::socket>(std::move(peer)));
            accept();
        });
    }
    void echo(std::shared_ptr<tcp::socket> peer)
    {
        const auto bytes = std::make_shared<std::array<char, 64>>();
        peer->async_read_some(asio::buffer(*bytes), [=, this](boost::system::error_code failed, std::size_t count) {
            if (failed)
                return;
            asio::async_write(*peer, asio::buffer(*bytes, count),
                              [=, this](boost::system::error_code, std::size_t) { echo(peer); });
        });
    }
    void tick()
    {
        ticking_.expires_after(std::chrono::milliseconds(1));
        ticking_.async_wait([this](boost::system::error_code) {
            ++ticks_;
            if (!is_over_)
                tick();
        });
    }

    tcp::acceptor acceptor_;
    asio::steady_timer ticking_;
    std::atomic<int> ticks_ = 0;
    bool is_over_ = false;
};

partyline::task<int> add_twice(partyline::session& client)
{
    const int once = co_await client.call<int>("add", args(1, 2));
    const int twice = co_await client.call<int>("add", args(once, once));
    co_return twice;
}

std::string echoed(asio::io_context& context, std::uint16_t port)
{
    tcp::socket peer(context);
    peer.connect({asio::ip::address_v4::loopback(), port});
    asio::write(peer, asio::buffer("hello", 5));
    std::string came(5, '\0');
    asio::read(peer, asio::buffer(came));
    return came;
}

} // namespace

int main()
{
    asio::io_context context;
    old_service old(context);
    auto work = asio::make_work_guard(context);

    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; });
    auto [near, far] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session server(std::move(far), std::move(methods));
    partyline::session client(std::move(near));
    std::promise<partyline::error_code> server_end;
    server.async_run([&](partyline::error_code ended) { server_end.set_value(ended); });
    std::future<void> client_end = client.async_run(asio::use_future);

    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { context.run(); });

    std::promise<int> by_callback;
    client.call<int>("add", args(2, 40))([&](partyline::error_code failed, partyline::call_result<int> sum) {
        by_callback.set_value(failed ? -1 : *sum);
    });
    std::promise<int> by_coroutine;
    co_spawn(context.get_executor(), add_twice(client),
             [&](std::exception_ptr failed, int sum) { by_coroutine.set_value(failed ? -1 : sum); });
    must_be(client.call<int>("add", args(20, 1))(asio::use_future).get().value() == 21, "a future has the sum");
    must_be(by_callback.get_future().get() == 42, "a callback has the sum");
    must_be(by_coroutine.get_future().get() == 6, "a coroutine has the sum");
    must_be(echoed(context, old.port()) == "hello", "the old service serves");

    // The last calls are answered, both sessions end in order, and the old service ticks on until it is told.
    std::vector<std::future<partyline::call_result<int>>> last;
    for (int i = 0; i < 100; ++i)
        last.push_back(client.call<int>("add", args(i, i))(asio::use_future));
    for (int i = 0; i < 100; ++i)
        must_be(last[static_cast<std::size_t>(i)].get().value() == 2 * i, "each call has its sum");
    client.close();
    client_end.get();
    must_be(!server_end.get_future().get(), "the server's session has ended in order");
    const int before = old.ticks();
    while (old.ticks() == before)
        std::this_thread::yield();
    old.stop();
    work.reset();
    threads.clear();
    return 0;
}
