#include "web_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <utility>

#include <sys/socket.h>

namespace asio = boost::asio;

namespace call::test {

web_server::web_server(std::string answer)
    : acceptor_(context_, {asio::ip::address_v4::loopback(), 0}),
      thread_([this, answer = std::move(answer)] { serve(answer); })
{
}

web_server::~web_server()
{
    stop_accepting();
}

std::string web_server::url(const std::string& scheme) const
{
    return scheme + "://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
}

std::string web_server::asked()
{
    stop_accepting();
    thread_.join();
    return asked_;
}

// Nobody is waited for who has not asked.
void web_server::stop_accepting()
{
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
}

// All of it is read: whoever closes a socket with something unread in it takes the answer back.
void web_server::serve(const std::string& answer)
{
    boost::system::error_code failed;
    asio::ip::tcp::socket client = acceptor_.accept(failed);
    if (!failed)
        asio::read_until(client, asio::dynamic_buffer(asked_), "\r\n\r\n", failed);
    if (!failed && asked_.starts_with("POST"))
        asio::read_until(client, asio::dynamic_buffer(asked_), '}', failed);
    if (!failed)
        asio::write(client, asio::buffer(answer), failed);
}

} // namespace call::test
