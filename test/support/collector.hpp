#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace partyline::test {

/// A collector of spans on 127.0.0.1, on a thread of its own.
class collector {
public:
    /// What becomes of each request.
    enum class conduct {
        takes,       ///< answered 200
        hangs,       ///< not answered
        never_ends,  ///< answered 200 with a body that has no end
        is_busy_once ///< answered 503 the first time, then 200
    };

    explicit collector(conduct how);
    ~collector();

    std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
    /// The requests that have come, head and body, once there are so many. Throws where they do not come.
    std::vector<std::string> wait_for(std::size_t requests);
    /// All that has come so far.
    std::vector<std::string> requests() const;

private:
    using tcp = boost::asio::ip::tcp;

    struct connection {
        tcp::socket socket;
        std::string read;
        std::string answer;
    };

    void accept();
    void read(std::shared_ptr<connection> from);
    void on_request(const std::shared_ptr<connection>& from);
    void answer(std::shared_ptr<connection> to);

    boost::asio::io_context context_{1};
    tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
    const std::uint16_t port_ = acceptor_.local_endpoint().port();
    const conduct how_;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::thread thread_;
};

} // namespace partyline::test
