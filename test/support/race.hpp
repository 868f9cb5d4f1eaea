#pragma once

#include "support/thread_crew.hpp"

#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>

#include <future>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace partyline::test {

using table_pointer = std::shared_ptr<const method_table>;

/// Methods of all kinds, here and on a thread pool.
table_pointer make_race_methods(const boost::asio::any_io_executor& pool);

/// Requests for them, with the ids 0..count-1. What waits for a cancel gets one, sooner or later; so do some that
/// don't, at once.
std::string make_race_requests(int count, std::mt19937& random);

/// What a peer has heard at the end of its connection.
struct told {
    std::vector<std::string> lines;
    std::string tail;
};

enum class extent { all, some };

/// Expects answers to the requests with the ids 0..count-1, all or some, each once.
void check_answers(const told& what, int count, extent answered);

template <class Stream>
void end_sending(Stream& stream)
{
    if constexpr (requires { stream.close_send(); }) {
        stream.close_send();
    } else {
        error_code is_closed;
        stream.shutdown(boost::asio::socket_base::shutdown_send, is_closed);
    }
}

/// A peer on a strand of its own: says all of it, ends its input and listens to the end.
template <class Stream>
boost::asio::awaitable<told> talk(Stream stream, std::string lines)
{
    const auto token = boost::asio::as_tuple(boost::asio::use_awaitable);
    co_await boost::asio::async_write(stream, boost::asio::buffer(lines), token);
    end_sending(stream);
    told all;
    for (;;) {
        auto unread = boost::asio::dynamic_buffer(all.tail);
        const auto [failed, size] = co_await boost::asio::async_read_until(stream, unread, '\n', token);
        if (failed)
            break;
        all.lines.push_back(all.tail.substr(0, size - 1));
        all.tail.erase(0, size);
    }
    co_return all;
}

template <class Stream>
std::pair<Stream, Stream> make_ends(const boost::asio::any_io_executor& peers, const boost::asio::any_io_executor& ours)
{
    if constexpr (std::is_same_v<Stream, memory_stream>) {
        return memory_stream::make_pair(peers, ours);
    } else {
        std::pair<Stream, Stream> ends{Stream(peers), Stream(ours)};
        boost::asio::local::connect_pair(ends.first, ends.second);
        return ends;
    }
}

/// A conversation on the crew's threads.
template <class Stream>
class running_talk {
public:
    running_talk(thread_crew& crew, table_pointer methods, std::string lines)
    {
        const boost::asio::any_io_executor strand = boost::asio::make_strand(crew.context);
        auto [peer, ours] = make_ends<Stream>(strand, crew.context.get_executor());
        server.emplace(std::move(ours), std::move(methods));
        auto ended = std::make_shared<std::promise<error_code>>();
        end_ = ended->get_future();
        server->async_run([ended](error_code result) { ended->set_value(result); });
        auto peer_talk = talk(std::move(peer), std::move(lines));
        told_ = boost::asio::co_spawn(strand, std::move(peer_talk), boost::asio::use_future);
    }

    /// Destroying it is the test's affair.
    std::optional<session> server;

    /// Bounded by the suite's timeout.
    error_code wait_end() { return end_.get(); }
    told wait_told() { return told_.get(); }

private:
    std::future<error_code> end_;
    std::future<told> told_;
};

} // namespace partyline::test
