#include "support/connection.hpp"

#include "support/faulty_stream.hpp"

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>

#include <optional>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using socket = asio::local::stream_protocol::socket;

template <class Peer, class Ours>
class connection_of final : public connection {
public:
    connection_of(Peer peer, Ours ours) : peer_(std::move(peer)), ours_(std::move(ours)) {}

    session make_session(std::shared_ptr<const dispatcher> methods, session_options options,
                         std::shared_ptr<fault_plan> faults) override
    {
        Ours stream = std::move(*ours_);
        ours_.reset();
        if (!faults)
            return session(std::move(stream), std::move(methods), std::move(options));
        faulty_stream<Ours> meddled(std::move(stream), std::move(faults));
        return session(std::move(meddled), std::move(methods), std::move(options));
    }

    void read(asio::mutable_buffer target, std::function<void(error_code, std::size_t)> done) override
    {
        peer_.async_read_some(target, std::move(done));
    }

    void write(asio::const_buffer source, std::function<void(error_code)> done) override
    {
        asio::async_write(peer_, source, [done = std::move(done)](error_code failed, std::size_t) { done(failed); });
    }

    void close_send() override
    {
        if constexpr (requires { peer_.close_send(); }) {
            peer_.close_send();
        } else {
            error_code is_closed;
            peer_.shutdown(asio::socket_base::shutdown_send, is_closed);
        }
    }

    void close() override { peer_.close(); }

private:
    Peer peer_;
    std::optional<Ours> ours_;
};

template <class Peer, class Ours>
std::unique_ptr<connection> connection_between(Peer peer, Ours ours)
{
    return std::make_unique<connection_of<Peer, Ours>>(std::move(peer), std::move(ours));
}

} // namespace

std::unique_ptr<connection> connection::make(kind what, asio::io_context& context)
{
    if (what == kind::memory) {
        auto [peer, ours] = memory_stream::make_pair(context.get_executor());
        return connection_between(std::move(peer), std::move(ours));
    }
    socket peer(context);
    socket ours(context);
    asio::local::connect_pair(peer, ours);
    if (what == kind::socket)
        return connection_between(std::move(peer), std::move(ours));
    return connection_between(std::move(peer), asio::posix::stream_descriptor(context, ours.release()));
}

std::string to_string(connection::kind what)
{
    switch (what) {
    case connection::kind::memory: return "memory";
    case connection::kind::socket: return "socket";
    case connection::kind::descriptor: return "descriptor";
    }
    return {};
}

} // namespace partyline::test
