#include "client/fickle_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <utility>

namespace asio = boost::asio;
using boost::asio::ip::tcp;

namespace partyline::test {

std::string asked_request::field(const std::string& name) const
{
    const std::size_t found = head.find("\r\n" + name + ": ");
    if (found == head.npos)
        return {};
    const std::size_t from = found + name.size() + 4;
    return head.substr(from, head.find('\r', from) - from);
}

std::string asked_request::member(const std::string& name) const
{
    const std::size_t found = body.find('"' + name + "\":");
    if (found == body.npos)
        return {};
    const std::size_t from = found + name.size() + 3;
    std::string value = body.substr(from, body.find_first_of(",}", from) - from);
    std::erase(value, '"');
    return value;
}

std::string json_answer(int status, const std::string& body)
{
    return "HTTP/1.1 " + std::to_string(status) +
           " X\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string result_answer(const asked_request& call, const std::string& result, const std::string& fields)
{
    std::string answer =
        json_answer(200, R"({"jsonrpc":"2.0","id":)" + call.member("id") + R"(,"result":)" + result + "}");
    answer.insert(answer.find("\r\n") + 2, fields);
    return answer;
}

std::string event_answer(const std::string& events)
{
    return "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n" + events;
}

std::string bare_answer(int status)
{
    return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: 0\r\n\r\n";
}

fickle_server::fickle_server(asio::io_context& context, answering answer, after_answer then)
    : acceptor_(context, {asio::ip::make_address("127.0.0.1"), 0}), answer_(std::move(answer)), then_(then)
{
    co_spawn(context, accept(), asio::detached);
}

std::string fickle_server::address(const std::string& path) const
{
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + path;
}

long fickle_server::count(std::string_view what) const
{
    return std::ranges::count_if(asked_, [&](const std::string& one) { return one.starts_with(what); });
}

asio::awaitable<void> fickle_server::accept()
{
    for (;;) {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        co_spawn(acceptor_.get_executor(), serve(std::move(socket)), asio::detached);
    }
}

asio::awaitable<void> fickle_server::serve(tcp::socket socket)
{
    for (std::string read;;) {
        asked_request request;
        const std::size_t head =
            co_await asio::async_read_until(socket, asio::dynamic_buffer(read), "\r\n\r\n", asio::use_awaitable);
        request.head = read.substr(0, head);
        const std::string length = request.field("Content-Length");
        const std::size_t all = head + (length.empty() ? 0 : std::stoul(length));
        if (read.size() < all)
            co_await asio::async_read(socket, asio::dynamic_buffer(read), asio::transfer_exactly(all - read.size()),
                                      asio::use_awaitable);
        request.body = read.substr(head, all - head);
        read.erase(0, all);
        note(request);
        std::string answer = answer_(request);
        const bool is_last = then_ == after_answer::close; // when it has gone out, its test may have ended
        if (is_last && answer.find("\r\n\r\n") != answer.npos)
            answer.insert(answer.find("\r\n") + 2, "Connection: close\r\n");
        co_await asio::async_write(socket, asio::buffer(answer), asio::use_awaitable);
        if (is_last)
            co_return;
    }
}

void fickle_server::note(const asked_request& request)
{
    asked_.push_back(std::string(request.verb()) + ' ' + request.member("method"));
}

} // namespace partyline::test
