#include "http/oauth/redirect_listener.hpp"

#include "http/connections/client_failure.hpp"
#include "http/wire/head_reader.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/protocol/errc.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <exception>
#include <list>
#include <optional>
#include <utility>

namespace asio = boost::asio;
using boost::asio::ip::tcp;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t max_connections = 16;
constexpr auto pause_without_descriptors = 100ms;
constexpr head_limits redirect_limits = {.bytes = std::size_t(32) << 10, .fields = 200, .target = std::size_t(8) << 10};

// Plain text, so that nothing that a request has said is ever part of a page.
std::string page(int status, std::string_view words)
{
    return "HTTP/1.1 " + std::to_string(status) + (status == 200 ? " OK" : " Bad Request") +
           "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + std::to_string(words.size()) +
           "\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n" +
           std::string(words);
}

std::string page_for(login_outcome outcome)
{
    switch (outcome) {
    case login_outcome::code: // which may still be refused
        return page(200, "You can go back to the program, which says how the login ends. This page can be closed.\n");
    case login_outcome::refused:
        return page(200, "The login has failed; the program says why. This page can be closed.\n");
    case login_outcome::foreign: return page(400, "This is not the answer to the login that is waited for.\n");
    }
    return {};
}

} // namespace

class redirect_listener::core : public std::enable_shared_from_this<core> {
public:
    core(asio::any_io_executor serial, std::uint16_t port, std::chrono::milliseconds connection_time)
        : acceptor_(serial, tcp::endpoint(asio::ip::address_v4::loopback(), port)), answered_(serial),
          connection_time_(connection_time)
    {
    }

    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

    void start(reader read)
    {
        read_ = std::move(read);
        asio::co_spawn(
            acceptor_.get_executor(), [self = shared_from_this()] { return self->accept(); },
            [](std::exception_ptr) {});
    }

    auto async_answered() { return answered_.async_wait(asio::deferred); }

    login_answer take() { return std::move(*answer_); }

    void close() noexcept
    {
        error_code ignored;
        read_ = nullptr; // which may refer to what its giver has
        acceptor_.close(ignored);
        for (tcp::socket* const one : open_)
            one->close(ignored);
        answered_.cancel();
    }

private:
    // Closes a connection that takes too long.
    class visit {
    public:
        visit(core& of, tcp::socket& socket) : of_(of), timer_(socket.get_executor(), of.connection_time_)
        {
            place_ = of_.open_.insert(of_.open_.end(), &socket);
            timer_.async_wait([self = of_.shared_from_this(), at = &socket](error_code cancelled) {
                if (!cancelled)
                    self->close(at);
            });
        }
        ~visit() { of_.open_.erase(place_); }
        visit(const visit&) = delete;
        visit& operator=(const visit&) = delete;

    private:
        core& of_;
        asio::steady_timer timer_;
        std::list<tcp::socket*>::iterator place_;
    };

    void close(tcp::socket* one) noexcept
    {
        error_code ignored;
        if (std::find(open_.begin(), open_.end(), one) != open_.end())
            one->close(ignored);
    }

    asio::awaitable<void> accept()
    {
        asio::steady_timer pause(acceptor_.get_executor());
        while (acceptor_.is_open()) {
            error_code failed;
            tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
            if (failed == asio::error::operation_aborted) // it is closed
                co_return;
            if (failed) {
                pause.expires_after(pause_without_descriptors);
                co_await pause.async_wait(asio::use_awaitable);
            } else if (open_.size() < max_connections) {
                start(std::move(socket));
            }
        }
    }

    void start(tcp::socket socket)
    {
        asio::co_spawn(
            acceptor_.get_executor(),
            [self = shared_from_this(), of = std::move(socket)]() mutable { return self->serve(std::move(of)); },
            [](std::exception_ptr) {});
    }

    asio::awaitable<void> serve(tcp::socket socket)
    {
        const visit bounded(*this, socket);
        std::string come;
        head_reader head(redirect_limits);
        head_reader::state at = head_reader::state::more;
        while (at == head_reader::state::more) {
            constexpr std::size_t piece = 4096;
            const std::size_t had = come.size();
            come.resize(had + piece);
            const asio::mutable_buffer room = asio::buffer(come.data() + had, piece);
            come.resize(had + co_await socket.async_read_some(room, asio::use_awaitable));
            at = head.read(come);
        }
        login_answer answer;
        if (at == head_reader::state::done && head.head().method == "GET" && !answer_ && read_)
            answer = read_(head.head().target);
        const std::string told = page_for(answer.outcome);
        if (answer.outcome != login_outcome::foreign)
            answer_ = std::move(answer); // the first one: what comes later is no answer any more
        const bool is_answer = told.starts_with("HTTP/1.1 200");
        error_code failed; // a browser that is gone has brought its answer all the same
        co_await asio::async_write(socket, asio::buffer(told), asio::redirect_error(asio::use_awaitable, failed));
        if (is_answer)
            answered_.set();
    }

    tcp::acceptor acceptor_;
    async_event answered_;
    const std::chrono::milliseconds connection_time_;
    reader read_;
    std::list<tcp::socket*> open_;
    std::optional<login_answer> answer_;
};

redirect_listener::redirect_listener(asio::any_io_executor serial, std::uint16_t port,
                                     std::chrono::milliseconds connection_time)
    : core_(std::make_shared<core>(std::move(serial), port, connection_time))
{
}

redirect_listener::~redirect_listener()
{
    core_->close();
}

std::string redirect_listener::redirect_uri() const
{
    return "http://127.0.0.1:" + std::to_string(core_->port()) + std::string(redirect_path);
}

asio::awaitable<login_answer> redirect_listener::wait(reader read, time_limit until)
{
    const std::shared_ptr<core> of = core_;
    of->start(std::move(read));
    asio::steady_timer timer(co_await asio::this_coro::executor, until);
    auto either = asio::experimental::make_parallel_group(of->async_answered(), timer.async_wait(asio::deferred));
    const auto [order, failed, late] =
        co_await either.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    of->close();
    if (order[0] == 1 && !late)
        fail(errc::timeout, "nobody has logged in within the time for that");
    if (order[0] == 1 || failed)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return of->take();
}

} // namespace partyline::http
