#include "scenario.hpp"

#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

struct peer {
    memory_stream stream;
    const scenario& what;
    std::size_t lines = 0;
    bool has_replied = false;
};

asio::awaitable<void> send(peer& from, std::string_view text)
{
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, from.what.piece);
        const auto source = asio::buffer(piece);
        co_await asio::async_write(from.stream, source, asio::use_awaitable);
        text.remove_prefix(piece.size());
    }
}

asio::awaitable<void> send_all(peer& from, std::string_view text, bool is_last)
{
    co_await send(from, text);
    if (is_last)
        from.stream.close_send();
}

asio::awaitable<void> listen(peer& to)
{
    std::array<char, 16384> room;
    for (;;) {
        const auto target = asio::buffer(room);
        const auto [failed, size] = co_await to.stream.async_read_some(target, asio::as_tuple(asio::use_awaitable));
        if (failed)
            co_return;
        to.lines += static_cast<std::size_t>(std::count(room.data(), room.data() + size, '\n'));
        const bool is_time = !to.what.replies.empty() && to.lines >= to.what.lines_before_replies;
        if (is_time && !std::exchange(to.has_replied, true))
            asio::co_spawn(to.stream.get_executor(), send_all(to, to.what.replies, true), asio::detached);
    }
}

} // namespace

void run_scenario(scenario what)
{
    asio::io_context context(1);
    auto ends = memory_stream::make_pair(context.get_executor());
    what.options.log = [](std::string_view) {};
    session server(std::move(ends.first), std::move(what.methods), what.options);
    peer other{std::move(ends.second), what};
    server.async_run(asio::detached);
    for (std::size_t i = 0; i != what.own_calls; ++i)
        server.call("call", nullptr)([](error_code, const response&) {});
    asio::co_spawn(context, send_all(other, what.input, what.replies.empty()), asio::detached);
    asio::co_spawn(context, listen(other), asio::detached);
    context.run();
    if (other.lines != what.lines)
        throw std::runtime_error("the session said " + std::to_string(other.lines) + " lines, not " +
                                 std::to_string(what.lines));
}

void run_by_socket(scenario what)
{
    asio::io_context context(1);
    asio::local::stream_protocol::socket ours(context);
    asio::local::stream_protocol::socket theirs(context);
    asio::local::connect_pair(ours, theirs);
    what.options.log = [](std::string_view) {};
    session server(std::move(theirs), std::move(what.methods), what.options);
    server.async_run(asio::detached);
    std::size_t sent = 0;
    for (std::string_view left = what.input; !left.empty(); left = std::string_view(what.input).substr(sent)) {
        sent += asio::write(ours, asio::buffer(left.substr(0, what.piece)));
        while (server.counters().bytes_in < sent)
            context.run_one();
    }
    ours.close();
    context.run();
}

} // namespace partyline::test
