// An existing Asio application, with its own io_context, timer and acceptor, gains a session for each connection that
// it accepts. To show them it connects to itself, and calls by callback, coroutine and future.
//
//   example-embedding

#include <partyline/connect.hpp>
#include <partyline/partyline.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <future>
#include <iostream>
#include <memory>
#include <thread>

namespace asio = boost::asio;
using asio::ip::tcp;

class application {
public:
    explicit application(asio::io_context& context)
        : timer_(context), acceptor_(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0))
    {
        partyline::method_table methods;
        methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
        methods.add("ticks", [this] { return ticks_; }); // handlers run where everything else of the application does
        methods_ = std::make_shared<const partyline::method_table>(std::move(methods));
        tick();
        accept();
    }

    unsigned short port() const { return acceptor_.local_endpoint().port(); }

    void stop() { acceptor_.close(); } // then the timer sees that it is over, too

private:
    void tick()
    {
        timer_.expires_after(std::chrono::milliseconds(1));
        timer_.async_wait([this](partyline::error_code failed) {
            ++ticks_;
            if (!failed && acceptor_.is_open())
                tick();
        });
    }

    void accept()
    {
        acceptor_.async_accept([this](partyline::error_code failed, tcp::socket socket) {
            if (failed)
                return;
            // What is new: a session, which all that it needs keeps alive until it has ended.
            const auto added = std::make_shared<partyline::session>(std::move(socket), methods_);
            added->async_run([added](partyline::error_code) {});
            accept();
        });
    }

    asio::steady_timer timer_;
    tcp::acceptor acceptor_;
    std::shared_ptr<const partyline::method_table> methods_;
    int ticks_ = 0;
};

partyline::task<void> wait_for_tick(partyline::session& peer)
{
    int ticks = 0;
    while (ticks == 0)
        ticks = co_await peer.call<int>("ticks");
    std::cout << "coroutine: the timer goes on\n";
}

int main()
{
    asio::io_context context(1);
    application here(context);
    std::thread runner([&] { context.run(); }); // futures are for threads that don't run the context
    partyline::session peer(
        partyline::async_connect_tcp(context.get_executor(), "127.0.0.1", here.port(), asio::use_future).get());
    std::future<void> ended = peer.async_run(asio::use_future);

    std::promise<void> called_back;
    peer.call<int>("add", {1, 2})([&](partyline::error_code failed, partyline::call_result<int> sum) {
        std::cout << "callback: " << (failed ? failed.message() : std::to_string(sum.value())) << '\n';
        called_back.set_value();
    });
    called_back.get_future().get();
    co_spawn(context.get_executor(), wait_for_tick(peer), asio::use_future).get();
    std::cout << "future: " << peer.call<int>("add", {2, 40})(asio::use_future).get().value() << '\n';

    peer.close(); // from any thread; the other end's session ends with it
    ended.get();
    asio::post(context, [&] { here.stop(); });
    runner.join();
}
