#include "support/collector.hpp"

#include "support/child_process.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

// Whether a request has come as a whole.
bool is_whole(const std::string& read)
{
    const std::size_t end = read.find("\r\n\r\n");
    if (end == read.npos)
        return false;
    const std::string name = "Content-Length: ";
    const std::size_t length = read.find(name);
    return length != read.npos && read.size() - end - 4 >= std::stoul(read.substr(length + name.size()));
}

} // namespace

collector::collector(conduct how) : how_(how)
{
    accept();
    thread_ = std::thread([this] { context_.run(); });
}

collector::~collector()
{
    context_.stop();
    thread_.join();
}

void collector::accept()
{
    acceptor_.async_accept([this](boost::system::error_code failed, tcp::socket socket) {
        if (failed)
            return;
        read(std::make_shared<connection>(connection{std::move(socket), {}, {}}));
        accept();
    });
}

void collector::read(std::shared_ptr<connection> from)
{
    const auto part = std::make_shared<std::array<char, 65536>>();
    from->socket.async_read_some(asio::buffer(*part),
                                 [this, from, part](boost::system::error_code failed, std::size_t count) {
                                     if (failed)
                                         return;
                                     from->read.append(part->data(), count);
                                     if (is_whole(from->read))
                                         on_request(from);
                                     else
                                         read(from);
                                 });
}

void collector::on_request(const std::shared_ptr<connection>& from)
{
    bool is_first = false;
    {
        const std::lock_guard<std::mutex> hold(mutex_);
        is_first = requests_.empty();
        requests_.push_back(from->read);
    }
    if (how_ == conduct::hangs)
        return read(from); // keeps it open
    if (how_ == conduct::never_ends)
        from->answer = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n";
    else if (how_ == conduct::is_busy_once && is_first)
        from->answer = "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n";
    else
        from->answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    answer(from);
}

void collector::answer(std::shared_ptr<connection> to)
{
    asio::async_write(to->socket, asio::buffer(to->answer), [this, to](boost::system::error_code failed, std::size_t) {
        if (failed || how_ != conduct::never_ends)
            return;
        to->answer = std::string(1000, 'x');
        answer(to);
    });
}

std::vector<std::string> collector::requests() const
{
    const std::lock_guard<std::mutex> hold(mutex_);
    return requests_;
}

std::vector<std::string> collector::wait_for(std::size_t count)
{
    const auto end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
        std::vector<std::string> all = requests();
        if (all.size() >= count)
            return all;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("the collector has not been told");
}

} // namespace partyline::test
