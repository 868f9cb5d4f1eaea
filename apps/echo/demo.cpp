#include "demo.hpp"

#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace asio = boost::asio;

namespace echo {
namespace {

// Lines for the server, and how many it says in return.
struct scene {
    std::string_view title;
    std::vector<std::string_view> lines;
    int replies;
};

const std::vector<scene> script = {
    {"concurrent calls return as they are ready",
     {R"({"jsonrpc":"2.0","id":1,"method":"delay","params":{"ms":120,"value":"slow"}})",
      R"({"jsonrpc":"2.0","id":"1","method":"delay","params":{"ms":60,"value":"another id"}})",
      R"({"jsonrpc":"2.0","id":2,"method":"echo","params":["fast"]})"},
     3},
    {"progress, then the result",
     {R"({"jsonrpc":"2.0","id":3,"method":"count","params":{"to":3,"ms":20}})"},
     4},
    {"a cancelled call",
     {R"({"jsonrpc":"2.0","id":4,"method":"delay","params":{"ms":60000}})",
      R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}})"},
     1},
    {"bad lines cost nobody else an answer",
     {R"({"jsonrpc":"2.0","id":5,"method":)", R"({"jsonrpc":"2.0","id":6,"method":"add","params":["one",2]})",
      R"({"jsonrpc":"2.0","id":7,"method":"add","params":[1,2]})"},
     3},
    {"a batch",
     {R"([{"jsonrpc":"2.0","id":8,"method":"sum","params":[1,2,4]},)"
      R"({"jsonrpc":"2.0","id":9,"method":"delay","params":{"ms":20}},{"foo":"boo"}])"},
     1},
};

// The client: the bytes that it prints are the bytes that it wrote and read.
class client {
public:
    explicit client(partyline::memory_stream stream) : stream_(std::move(stream)) {}

    asio::awaitable<void> run()
    {
        for (const scene& s : script) {
            std::cout << "# " << s.title << '\n';
            for (const std::string_view line : s.lines)
                co_await send(line);
            for (int i = 0; i < s.replies; ++i)
                co_await receive();
        }
        stream_.close_send();
    }

private:
    asio::awaitable<void> send(std::string_view line)
    {
        std::string text(line);
        std::cout << "-> " << text << std::endl;
        text += '\n';
        co_await asio::async_write(stream_, asio::buffer(text), asio::use_awaitable);
    }

    asio::awaitable<void> receive()
    {
        const std::size_t size =
            co_await asio::async_read_until(stream_, asio::dynamic_buffer(unread_), '\n', asio::use_awaitable);
        std::cout << "<- " << std::string_view(unread_).substr(0, size) << std::flush;
        unread_.erase(0, size);
    }

    partyline::memory_stream stream_;
    std::string unread_;
};

} // namespace

int run_demo(partyline::method_table methods, partyline::stdio_options options)
{
    asio::io_context context(1);
    auto [ours, theirs] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session server(std::move(theirs), std::move(methods), std::move(options.session));
    client peer(std::move(ours));

    std::exception_ptr failed;
    boost::system::error_code ended;
    asio::co_spawn(context, peer.run(), [&](std::exception_ptr e) { failed = e; });
    server.async_run([&](boost::system::error_code e) { ended = e; });
    context.run();
    if (options.at_end)
        options.at_end(server.counters());
    if (failed)
        std::rethrow_exception(failed);
    return ended ? 1 : 0;
}

} // namespace echo
