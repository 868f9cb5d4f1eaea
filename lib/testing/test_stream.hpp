#pragma once

#include <partyline/protocol/errc.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace partyline::test {

/// One end of a memory pair that can be ended for sending while its session goes on: what that sends then goes nowhere,
/// and replies still come. Copies are handles of one stream: a session has one, the test another.
class test_stream {
public:
    using executor_type = boost::asio::any_io_executor;

    explicit test_stream(memory_stream end) : state_(std::make_shared<state>(std::move(end))) {}

    void end_sending()
    {
        state_->has_ended = true;
        state_->stream.close_send();
    }

    executor_type get_executor() const noexcept { return state_->stream.get_executor(); }
    void close_send() { state_->stream.close_send(); }
    void close() { state_->stream.close(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return state_->stream.async_read_some(buffers, std::forward<Token>(token));
    }

    template <class Token>
    auto async_write_some(boost::asio::const_buffer source, Token&& token)
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<state> to, boost::asio::const_buffer from) {
                if (to->has_ended)
                    boost::asio::post(to->stream.get_executor(),
                                      boost::asio::append(std::move(handler), error_code(), from.size()));
                else
                    to->stream.async_write_some(from, std::move(handler));
            },
            token, state_, source);
    }

private:
    struct state {
        explicit state(memory_stream end) : stream(std::move(end)) {}
        memory_stream stream;
        bool has_ended = false;
    };

    std::shared_ptr<state> state_;
};

} // namespace partyline::test
