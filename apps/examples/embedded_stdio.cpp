// An application with an io_context of its own serves its parent by standard input and output beside what else it does:
// here it counts seconds. It ends when input does, or by SIGTERM.
//
//   echo '{"jsonrpc":"2.0","id":1,"method":"seconds"}' | example-embedded_stdio

#include <partyline/partyline.hpp>
#include <partyline/transport/stdio_stream.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <csignal>
#include <iostream>

namespace asio = boost::asio;

class clock_application {
public:
    explicit clock_application(asio::io_context& context) : timer_(context) { tick(); }

    int seconds() const noexcept { return seconds_; }
    void stop() { timer_.cancel(); }

private:
    void tick()
    {
        timer_.expires_after(std::chrono::seconds(1));
        timer_.async_wait([this](partyline::error_code failed) {
            if (failed)
                return;
            ++seconds_;
            tick();
        });
    }

    asio::steady_timer timer_;
    int seconds_ = 0;
};

int main()
{
    asio::io_context context(1);
    clock_application application(context);
    partyline::method_table methods;
    methods.add("seconds", [&] { return application.seconds(); }); // handlers run where the application does
    methods.add("shout", [] { std::cout << "This is no message, and goes to stderr.\n"; });

    partyline::stdio_stream stream(context.get_executor());
    partyline::session_options options;
    options.executor_is_serial = true; // one thread runs the context
    if (stream.is_input_file())
        options.on_overload = partyline::overload::pause; // a file sends nothing again
    partyline::session session(std::move(stream), std::move(methods), std::move(options));

    asio::signal_set signals(context, SIGTERM, SIGINT);
    signals.async_wait([&](partyline::error_code failed, int) {
        if (!failed)
            session.stop();
    });
    session.async_run([&](partyline::error_code ended) {
        std::cerr << "ended: " << ended.message() << '\n';
        signals.cancel();
        application.stop();
    });
    context.run();
}
