#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// A request as a server sees it.
struct asked_request {
    std::string head; // to the empty line
    std::string body;

    std::string_view verb() const { return std::string_view(head).substr(0, head.find(' ')); }
    /// The value of a field, whose name is said as it stands there; empty without one.
    std::string field(const std::string& name) const;
    /// What stands behind `"name":` in its message, without quotation marks; empty without one.
    std::string member(const std::string& name) const;
};

std::string json_answer(int status, const std::string& body);
/// ... to a call, with this result.
std::string result_answer(const asked_request& call, const std::string& result, const std::string& fields = {});
/// The head of a stream of events that ends with its connection, and the first bytes of it.
std::string event_answer(const std::string& events);
/// A status, and no more.
std::string bare_answer(int status);

/// A server over HTTP that answers each request with what a test says: with nothing, where that is empty. By itself it
/// closes connections only where it is to do so after each answer.
class fickle_server {
public:
    using answering = std::function<std::string(const asked_request&)>;

    enum class after_answer { keep, close };

    fickle_server(boost::asio::io_context& context, answering answer, after_answer then = after_answer::keep);
    std::string address(const std::string& path = "/mcp") const;
    /// What has been asked so often: a verb, or a verb and the method of its message.
    long count(std::string_view what) const;

private:
    boost::asio::awaitable<void> accept();
    boost::asio::awaitable<void> serve(boost::asio::ip::tcp::socket socket);
    void note(const asked_request& request);

    boost::asio::ip::tcp::acceptor acceptor_;
    answering answer_;
    after_answer then_;
    std::vector<std::string> asked_;
};

} // namespace partyline::test
