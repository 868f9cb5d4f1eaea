// A server as careless as they come: its handlers print to stdout, start children, read the standard input, give long
// results all at once and will not be cancelled.

#include <partyline/partyline.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

// Neither a newline nor a flush: what is left in the buffers must not reach the wire at the end either.
json::value print_everywhere(json::value params)
{
    std::cout << "from cout";
    std::printf("from printf");
    if (std::system("echo from child") != 0)
        throw std::runtime_error("no shell");
    return params;
}

void chatter()
{
    std::printf("chatter\n");
    std::fflush(stdout);
    std::cerr << "chatter" << std::endl;
}

// Not flushed.
void mutter(std::size_t bytes)
{
    const std::string words(bytes, 'm');
    std::fwrite(words.data(), 1, words.size(), stdout);
}

std::string output_of(const char* command)
{
    FILE* pipe = ::popen(command, "r");
    if (!pipe)
        throw std::runtime_error("no shell");
    std::array<char, 256> chunk;
    std::string output;
    while (std::fgets(chunk.data(), chunk.size(), pipe))
        output += chunk.data();
    ::pclose(pipe);
    return output;
}

std::int64_t read_standard_input()
{
    std::int64_t size = -2;
    std::jthread([&] {
        char byte;
        size = ::read(STDIN_FILENO, &byte, 1);
    }).join();
    return size;
}

void block()
{
    std::cerr << "blocking" << std::endl;
    std::this_thread::sleep_for(std::chrono::minutes(10));
}

asio::awaitable<void> refuse_to_be_cancelled()
{
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (;;) {
        timer.expires_after(std::chrono::minutes(10));
        co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        std::cerr << "not cancelled" << std::endl;
    }
}

// Results that are asked for one by one and come all at once, when the notification "go" does.
class waiting_results {
public:
    asio::awaitable<std::string> wait(partyline::request_context& context, std::size_t bytes)
    {
        asio::steady_timer go(context.get_executor(), asio::steady_timer::time_point::max());
        waiting_.push_back(&go);
        co_await go.async_wait(asio::as_tuple(asio::use_awaitable));
        co_return std::string(bytes, 'x');
    }

    void go()
    {
        for (asio::steady_timer* one : std::exchange(waiting_, {}))
            one->cancel();
    }

private:
    std::vector<asio::steady_timer*> waiting_;
};

} // namespace

int main()
{
    partyline::method_table methods;
    waiting_results all;
    methods.add("together",
                [&all](partyline::request_context& context, std::size_t bytes) { return all.wait(context, bytes); },
                {"bytes"});
    methods.add_notification("go", [&all] { all.go(); });
    methods.add("noisy", print_everywhere);
    methods.add("chatter", chatter);
    methods.add("mutter", mutter, {"bytes"});
    methods.add("output_of", [](std::string command) { return output_of(command.c_str()); }, {"command"});
    methods.add("read_standard_input", read_standard_input);
    methods.add("block", block);
    methods.add("stubborn", refuse_to_be_cancelled);
    return partyline::run_stdio(std::move(methods));
}
