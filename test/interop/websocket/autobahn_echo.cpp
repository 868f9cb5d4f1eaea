// What Autobahn judges: the framing of the library over a socket, with nothing besides that it does not need. It says
// back every message, also binary ones.
//   autobahn_echo server             listens on a port that it names on standard output, and serves until it is ended
//   autobahn_echo client PORT NAME   runs all cases of Autobahn's server there, as NAME

#include "http/websocket/websocket_framing.hpp"
#include "http/websocket/websocket_upgrade.hpp"
#include "http/wire/head_reader.hpp"
#include "http/wire/response_head.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace asio = boost::asio;
namespace http = partyline::http;
using boost::asio::ip::tcp;
using partyline::byte_buffer;
using partyline::http::websocket_framing;

namespace {

partyline::limits large()
{
    partyline::limits most;
    most.message_bytes = std::size_t(64) << 20;
    return most;
}

void say_back(websocket_framing& frames, std::string_view text, byte_buffer& out)
{
    const std::size_t start = out.size();
    frames.begin_message(out);
    out.append(text);
    frames.end_message(out);
    char& first = out.data()[start];
    first = static_cast<char>((first & 0xF0) | static_cast<int>(frames.last_type()));
}

// What has come, `first` of it before, until the peer has ended or is gone.
void talk(tcp::socket& socket, websocket_framing& frames, std::string_view first,
          const std::function<void(std::string_view)>& on_message)
{
    boost::system::error_code failed;
    byte_buffer out;
    const auto take = [&](std::size_t count) {
        frames.commit(count);
        const auto pay = [&] {
            if (frames.owes())
                frames.append_owed(out);
        };
        for (partyline::frame next; frames.next(next);) {
            pay(); // what came before the message
            on_message ? on_message(next.text) : say_back(frames, next.text, out);
        }
        pay();
        if (frames.input_end())
            frames.append_end(*frames.input_end(), out);
        asio::write(socket, asio::buffer(out.data(), out.size()), failed);
        out.clear();
    };
    if (!first.empty()) {
        const auto room = frames.prepare();
        first.copy(room.data(), room.size());
        take(first.size());
    }
    while (!failed && !frames.input_end()) {
        const auto room = frames.prepare();
        const std::size_t count = socket.read_some(asio::buffer(room.data(), room.size()), failed);
        if (!failed)
            take(count);
    }
}

void serve(tcp::socket socket)
{
    boost::system::error_code failed;
    std::string read;
    asio::read_until(socket, asio::dynamic_buffer(read), "\r\n\r\n", failed);
    http::head_reader reader{http::head_limits()};
    if (failed || reader.read(read) != http::head_reader::state::done)
        return;
    const http::websocket_upgrade found = http::read_upgrade(reader.head(), {});
    if (found.is_refused())
        return;
    byte_buffer out;
    http::append_upgrade_head(out, found.fields, "");
    asio::write(socket, asio::buffer(out.data(), out.size()), failed);
    websocket_framing frames(websocket_framing::side::server, large(), http::close_code::normal,
                             websocket_framing::content::any);
    talk(socket, frames, std::string_view(read).substr(reader.size()), {});
}

int run_server()
{
    asio::io_context context;
    tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
    std::cout << acceptor.local_endpoint().port() << std::endl;
    for (;;) {
        tcp::socket next(context);
        acceptor.accept(next);
        std::thread(serve, std::move(next)).detach();
    }
}

void visit(std::uint16_t port, const std::string& target, const std::function<void(std::string_view)>& on_message)
{
    asio::io_context context;
    tcp::socket socket(context);
    socket.connect({asio::ip::make_address("127.0.0.1"), port});
    const std::string key = "dGhlIHNhbXBsZSBub25jZQ==";
    const std::string request = "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key +
                                "\r\nSec-WebSocket-Version: 13\r\n\r\n";
    asio::write(socket, asio::buffer(request));
    std::string read;
    const std::size_t size = asio::read_until(socket, asio::dynamic_buffer(read), "\r\n\r\n");
    if (!read.starts_with("HTTP/1.1 101 ") || read.find(http::accept_value(key)) == read.npos)
        throw std::runtime_error("refused: " + read);
    websocket_framing frames(websocket_framing::side::client, large(), http::close_code::normal,
                             websocket_framing::content::any);
    talk(socket, frames, std::string_view(read).substr(size), on_message);
}

int run_client(std::uint16_t port, const std::string& name)
{
    int count = 0;
    visit(port, "/getCaseCount", [&](std::string_view text) { count = std::stoi(std::string(text)); });
    for (int i = 1; i <= count; ++i)
        visit(port, "/runCase?case=" + std::to_string(i) + "&agent=" + name, {});
    visit(port, "/updateReports?agent=" + name, {});
    return count == 0 ? 1 : 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "server")
        return run_server();
    if (what == "client" && argc == 4)
        return run_client(static_cast<std::uint16_t>(std::atoi(argv[2])), argv[3]);
    std::fputs("usage: autobahn_echo server | client PORT NAME\n", stderr);
    return 2;
}
