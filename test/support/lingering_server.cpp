// A server on standard input and output that works with somebody else on the same executor, and says good-bye there:
// lingering_server [never]

#include <partyline/partyline.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string_view>

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

// It has more to do from when the session has ended on, by way of the executor.
void say_good_bye(const std::shared_ptr<asio::steady_timer>& timer, bool ends)
{
    timer->expires_after(ends ? 1ms : 10min);
    timer->async_wait([timer](boost::system::error_code failed) {
        if (!failed)
            std::cerr << "good-bye" << std::endl;
    });
}

} // namespace

int main(int argc, char** argv)
{
    const bool ends = argc < 2 || argv[1] != std::string_view("never");
    std::weak_ptr<asio::steady_timer> known; // the methods', which go with their executor
    partyline::stdio_options how;
    how.linger = ends ? 10min : 50ms;
    how.on_session_end = [&](const partyline::session_counters&) { say_good_bye(known.lock(), ends); };
    return partyline::run_stdio(
        [&](asio::any_io_executor executor, partyline::session_options& session) {
            session.bounds.message_bytes = 1000;
            const auto timer = std::make_shared<asio::steady_timer>(executor);
            known = timer;
            partyline::method_table methods;
            methods.add("is_same_executor", [timer](partyline::request_context& context) {
                return timer->get_executor() == context.get_executor();
            });
            return std::make_shared<const partyline::method_table>(std::move(methods));
        },
        std::move(how));
}
