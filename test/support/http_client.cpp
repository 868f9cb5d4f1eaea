#include "support/http_client.hpp"

#include "support/child_process.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
using boost::system::error_code;

namespace partyline::test {
namespace {

std::string small(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

} // namespace

std::string http_response::field(std::string_view name) const
{
    const std::string mark = "\r\n" + std::string(name) + ": ";
    const std::size_t begin = head.find(mark);
    if (begin == head.npos)
        return {};
    return head.substr(begin + mark.size(), head.find("\r\n", begin + mark.size()) - begin - mark.size());
}

void run_until(asio::io_context& context, const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error("this takes too long");
        context.restart();
        context.run_one_for(std::chrono::milliseconds(1));
    }
}

http_client::http_client(asio::io_context& context, std::uint16_t port) : context_(&context), socket_(context)
{
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
    socket_.non_blocking(true);
}

void http_client::send(std::string_view text)
{
    while (!text.empty()) {
        error_code failed;
        text.remove_prefix(socket_.write_some(asio::buffer(text), failed));
        if (failed && failed != asio::error::would_block)
            return; // the server has had enough
        if (failed) {
            context_->restart();
            context_->run_one_for(std::chrono::milliseconds(1));
        }
    }
}

std::string http_client::post_of(std::string_view path, std::string_view body, std::string_view fields)
{
    std::string all =
        "POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    all.append(fields).append("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n").append(body);
    return all;
}

void http_client::post(std::string_view path, std::string_view body, std::string_view fields)
{
    send(post_of(path, body, fields));
}

void http_client::request(std::string_view method, std::string_view path, std::string_view fields)
{
    send(std::string(method) + ' ' + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(fields) +
         "\r\n");
}

bool http_client::read_some()
{
    char room[16384];
    error_code failed;
    const std::size_t count = socket_.read_some(asio::buffer(room), failed);
    read_.append(room, count);
    has_ended_ = has_ended_ || (failed && failed != asio::error::would_block);
    return count != 0;
}

http_response http_client::head()
{
    http_response result;
    run_until(*context_, [&] {
        read_some();
        return read_.find("\r\n\r\n") != read_.npos || has_ended_;
    });
    const std::size_t end = read_.find("\r\n\r\n");
    if (end == read_.npos)
        throw std::runtime_error("the server has closed the connection");
    result.head = small(read_.substr(0, end + 2));
    read_.erase(0, end + 4);
    result.status = std::stoi(result.head.substr(9, 3));
    return result;
}

http_response http_client::response()
{
    http_response result = head();
    if (!result.field("transfer-encoding").empty()) {
        while (true) {
            const std::string chunk = take_chunk();
            if (chunk.empty())
                return result;
            result.body += chunk;
        }
    }
    const std::string length = result.field("content-length");
    const std::size_t size = length.empty() ? 0 : std::stoul(length);
    run_until(*context_, [&] {
        read_some();
        return read_.size() >= size || has_ended_;
    });
    result.body = read_.substr(0, size);
    read_.erase(0, size);
    return result;
}

std::string http_client::take_chunk()
{
    std::string data;
    run_until(*context_, [&] {
        read_some();
        const std::size_t line = read_.find("\r\n");
        if (line == read_.npos)
            return has_ended_;
        const std::size_t size = std::stoul(read_.substr(0, line), nullptr, 16);
        if (read_.size() < line + 2 + size + 2)
            return has_ended_;
        data = read_.substr(line + 2, size);
        read_.erase(0, line + 2 + size + 2);
        return true;
    });
    return data;
}

std::string http_client::read_bytes(std::size_t count)
{
    run_until(*context_, [&] {
        read_some();
        return read_.size() >= count || has_ended_;
    });
    std::string bytes = read_.substr(0, count);
    read_.erase(0, count);
    return bytes;
}

std::string http_client::read_until(std::string_view until)
{
    while (body_.find(until) == body_.npos) {
        const std::string chunk = take_chunk();
        if (chunk.empty())
            throw std::runtime_error("the answer has ended before: " + body_);
        body_ += chunk;
    }
    const std::size_t end = body_.find(until) + until.size();
    std::string result = body_.substr(0, end);
    body_.erase(0, end);
    return result;
}

std::string http_client::read_to_end()
{
    run_until(*context_, [this] {
        read_some();
        return has_ended_;
    });
    return std::exchange(read_, {});
}

bool http_client::is_closed()
{
    run_until(*context_, [this] { return read_some() || has_ended_; });
    return has_ended_ && read_.empty();
}

void http_client::reset()
{
    socket_.set_option(asio::socket_base::linger(true, 0));
    socket_.close();
}

} // namespace partyline::test
