#include <partyline/connect.hpp>

#include "connect_rule.hpp"
#include "transport/socket/socket_calls.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

namespace asio = boost::asio;
using boost::asio::ip::tcp;

namespace partyline {
namespace {

// One attempt, on a strand of its own, so that it can be cancelled at any time. Settled once.
template <class Socket>
class attempt : public std::enable_shared_from_this<attempt<Socket>> {
public:
    using completion = asio::any_completion_handler<void(error_code, Socket)>;

    attempt(asio::any_io_executor executor, completion done)
        : executor_(std::move(executor)), strand_(asio::make_strand(executor_)), socket_(executor_)
    {
        done_.emplace(std::move(done));
    }
    virtual ~attempt() = default;

    void start()
    {
        const auto slot = asio::get_associated_cancellation_slot(*done_);
        if (slot.is_connected())
            asio::cancellation_slot(slot).assign([weak = this->weak_from_this()](asio::cancellation_type) {
                if (const auto self = weak.lock())
                    asio::post(self->strand_, [self] { self->settle(asio::error::operation_aborted); });
            });
        asio::post(strand_, [self = this->shared_from_this()] {
            if (!self->is_settled())
                self->connect();
        });
    }

protected:
    virtual void connect() = 0;
    // Ends what is under way.
    virtual void give_up() = 0;

    // What was under way may come to its end after this, and must not go on.
    bool is_settled() const noexcept { return !done_; }

    void settle(error_code failed)
    {
        if (is_settled())
            return;
        completion done = std::move(*done_);
        done_.reset();
        if (failed)
            give_up();
        asio::post(executor_, asio::append(std::move(done), failed, failed ? Socket(executor_) : std::move(socket_)));
    }

    asio::any_io_executor executor_;
    asio::any_io_executor strand_;
    Socket socket_;

private:
    std::optional<completion> done_;
};

class unix_attempt final : public attempt<unix_socket> {
public:
    unix_attempt(asio::any_io_executor executor, std::string path, completion done)
        : attempt(std::move(executor), std::move(done)), path_(std::move(path)), again_(strand_)
    {
    }

private:
    void connect() override
    {
        error_code failed;
        const auto to = unix_endpoint(path_, failed);
        if (!failed && !socket_.is_open())
            open_socket(socket_, to.protocol(), failed);
        if (!failed)
            failed = connect_now(socket_, to);
        if (failed == asio::error::would_block)
            return try_later();
        error_code ignored;
        socket_.non_blocking(false, ignored); // as a new socket is
        settle(failed);
    }

    void try_later()
    {
        again_.expires_after(connect_again_after);
        again_.async_wait([self = shared_from_this(), this](error_code failed) {
            if (!failed && !is_settled())
                connect();
        });
    }

    void give_up() override
    {
        again_.cancel();
        socket_.close();
    }

    std::string path_;
    asio::steady_timer again_;
};

class tcp_attempt final : public attempt<tcp_socket> {
public:
    tcp_attempt(asio::any_io_executor executor, std::string host, std::uint16_t port, address_rule rule,
                completion done)
        : attempt(std::move(executor), std::move(done)), host_(std::move(host)), port_(port), rule_(std::move(rule)),
          resolver_(strand_)
    {
    }

private:
    void connect() override
    {
        error_code is_name;
        const asio::ip::address number = asio::ip::make_address(host_, is_name);
        if (is_name)
            return look_up();
        candidates_ = {tcp::endpoint(number, port_)};
        connect_to_any();
    }

    void look_up()
    {
        resolver_.async_resolve(
            host_, std::to_string(port_),
            [self = shared_from_this(), this](error_code failed, tcp::resolver::results_type found) {
                if (failed)
                    settle(failed);
                if (is_settled())
                    return;
                for (const auto& entry : found)
                    candidates_.push_back(entry.endpoint());
                connect_to_any();
            });
    }

    // Where one of them is refused, a name points to where it should not, and none of its addresses is trusted.
    void connect_to_any()
    {
        const auto is_refused = [this](const tcp::endpoint& each) { return rule_ && !rule_(each.address()); };
        if (std::any_of(candidates_.begin(), candidates_.end(), is_refused))
            return settle(asio::error::access_denied);
        connect_to_next(asio::error::host_not_found);
    }

    // `failed` is how the one before has.
    void connect_to_next(error_code failed)
    {
        if (candidates_.empty())
            return settle(failed);
        const tcp::endpoint to = candidates_.front();
        candidates_.pop_front();
        error_code ignored;
        socket_.close(ignored);
        open_socket(socket_, to.protocol(), failed);
        if (failed)
            return connect_to_next(failed);
        socket_.async_connect(to, asio::bind_executor(strand_, [self = shared_from_this(), this](error_code result) {
                                  if (!is_settled())
                                      result ? connect_to_next(result) : on_connected();
                              }));
    }

    void on_connected()
    {
        error_code ignored; // it works without
        socket_.set_option(tcp::no_delay(true), ignored);
        settle({});
    }

    void give_up() override
    {
        resolver_.cancel();
        socket_.close();
    }

    std::string host_;
    std::uint16_t port_;
    address_rule rule_;
    tcp::resolver resolver_;
    std::deque<tcp::endpoint> candidates_; // not tried yet
};

} // namespace

void start_connect_unix(asio::any_io_executor executor, std::string path,
                        asio::any_completion_handler<void(error_code, unix_socket)> done)
{
    std::make_shared<unix_attempt>(std::move(executor), std::move(path), std::move(done))->start();
}

void start_connect_tcp(asio::any_io_executor executor, std::string host, std::uint16_t port,
                       asio::any_completion_handler<void(error_code, tcp_socket)> done)
{
    start_connect_tcp(std::move(executor), std::move(host), port, {}, std::move(done));
}

void start_connect_tcp(asio::any_io_executor executor, std::string host, std::uint16_t port, address_rule rule,
                       asio::any_completion_handler<void(error_code, tcp_socket)> done)
{
    std::make_shared<tcp_attempt>(std::move(executor), std::move(host), port, std::move(rule), std::move(done))
        ->start();
}

} // namespace partyline
