#include "broadcast/server.hpp"

#include <partyline/http/server.hpp>
#include <partyline/mcp/mcp.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/session/session_link.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/json/array.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include <unistd.h>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

void print(std::uint64_t number)
{
    std::printf("%llu\n", static_cast<unsigned long long>(number));
    std::fflush(stdout);
}

/// Tells everybody, at each line of its input.
class teller {
public:
    teller(asio::io_context& context, http::server& server, std::shared_ptr<session_group> everybody)
        : input_(context, ::dup(0)), server_(server), everybody_(std::move(everybody))
    {
    }

    void wait()
    {
        asio::async_read_until(input_, asio::dynamic_buffer(text_), '\n', [this](error_code failed, std::size_t size) {
            if (failed)
                return end();
            text_.erase(0, size);
            print(tell());
            wait();
        });
    }

private:
    std::size_t tell()
    {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        const std::uint64_t at = std::chrono::nanoseconds(now).count();
        const json::object data{{"at", json::array{round_++, at}}, {"text", std::string(900, 'x')}};
        return everybody_->broadcast("notifications/message", json::object{{"level", "info"}, {"data", data}});
    }

    void end()
    {
        print(everybody_->dropped());
        server_.stop();
    }

    asio::posix::stream_descriptor input_;
    http::server& server_;
    const std::shared_ptr<session_group> everybody_;
    std::string text_;
    std::uint64_t round_ = 0;
};

http::server_options options_with(const std::shared_ptr<session_group>& everybody)
{
    http::server_options options;
    options.max_connections_per_address = options.max_connections;
    options.session.log = [](std::string_view) {};
    options.session.on_start = [everybody](const std::shared_ptr<session_link>& its) { everybody->add(its); };
    return options;
}

} // namespace

int serve_broadcasts()
{
    const auto everybody = std::make_shared<session_group>();
    asio::io_context context(1);
    http::server server(context.get_executor(), options_with(everybody));
    mcp::server tools("soak", "1");
    server.add_mcp("/mcp", tools);
    server.add_websocket("/ws", method_table());
    print(server.listen_tcp("127.0.0.1", 0).port());
    server.async_run([](error_code) {});
    teller tells(context, server, everybody);
    tells.wait();
    context.run();
    return 0;
}

} // namespace partyline::test
