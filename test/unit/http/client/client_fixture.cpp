#include "client/client_fixture.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include <poll.h>

namespace asio = boost::asio;
using boost::asio::ip::tcp;

namespace partyline::test {

std::string scripted_end::read_until(std::string_view last)
{
    std::string come;
    socket_.non_blocking(true);
    run_until(*context_, [&] {
        char room[4096];
        boost::system::error_code failed;
        const std::size_t count = socket_.read_some(asio::buffer(room), failed);
        come.append(room, count);
        if (failed && failed != asio::error::would_block)
            throw boost::system::system_error(failed);
        return come.ends_with(last);
    });
    return come;
}

void scripted_end::say(std::string_view text)
{
    asio::write(socket_, asio::buffer(text.data(), text.size()));
}

void scripted_end::reset()
{
    socket_.set_option(asio::socket_base::linger(true, 0));
    socket_.close();
}

bool scripted_end::is_closed()
{
    char byte = 0;
    boost::system::error_code failed;
    socket_.non_blocking(true);
    run_until(*context_, [&] {
        socket_.read_some(asio::buffer(&byte, 1), failed);
        return failed != asio::error::would_block;
    });
    return failed == asio::error::eof || failed == asio::error::connection_reset;
}

std::pair<socket_channel, scripted_end> connect_ends(asio::io_context& context)
{
    using local = asio::local::stream_protocol;
    local::socket client(context);
    local::socket server(context);
    asio::local::connect_pair(client, server);
    return {socket_channel(std::move(client)), scripted_end(context, std::move(server))};
}

scripted_server::scripted_server(asio::io_context& context)
    : context_(&context), acceptor_(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0))
{
    acceptor_.non_blocking(true);
}

scripted_end scripted_server::accept()
{
    tcp::socket accepted(*context_);
    run_until(*context_, [&] {
        boost::system::error_code failed;
        acceptor_.accept(accepted, failed);
        return !failed;
    });
    return scripted_end(*context_, std::move(accepted));
}

bool scripted_server::is_asked()
{
    for (int turn = 0; turn < 20; ++turn) {
        context_->restart();
        context_->poll();
    }
    pollfd one{acceptor_.native_handle(), POLLIN, 0};
    return ::poll(&one, 1, 0) == 1;
}

} // namespace partyline::test
