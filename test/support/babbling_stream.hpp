#pragma once

#include <partyline/protocol/errc.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace partyline::test {

/// A stream that also sends what nobody has told it: before every line, unless several are written together, some that
/// make no sense. None of them names a call that can be open: ids of calls are small numbers.
template <class Stream>
class babbling_stream {
    struct state {
        Stream inner;
        bool is_at_line_start = true;
    };

public:
    using executor_type = boost::asio::any_io_executor;

    explicit babbling_stream(Stream inner) : state_(new state{std::move(inner)}) {}

    executor_type get_executor() { return state_->inner.get_executor(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return state_->inner.async_read_some(buffers, std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(
            write_operation{state_, *boost::asio::buffer_sequence_begin(buffers)}, token, state_->inner.get_executor());
    }

    void close_send() { state_->inner.close_send(); }
    void close()
    {
        if constexpr (requires(error_code& failed) { state_->inner.close(failed); }) {
            error_code ignored;
            state_->inner.close(ignored);
        } else {
            state_->inner.close();
        }
    }

private:
    static const std::string& babble()
    {
        static const std::string lines = "Listening on port 8080...\n"
                                         "\n"
                                         "{\"jsonrpc\":\"2.0\",\"id\":999999999,\"result\":1}\n"
                                         "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":1}\n"
                                         "{\"jsonrpc\":\"2.0\",\"id\":[1],\"error\":{\"code\":1,\"message\":\"x\"}}\n"
                                         "{\"jsonrpc\":\"2.0\",\"result\":1,\"error\":null}\n"
                                         "[]\n"
                                         "\xff\xfe{\"jsonrpc\n";
        return lines;
    }

    enum class stage { start, babbled, written };

    struct write_operation {
        std::shared_ptr<state> of;
        boost::asio::const_buffer source;
        stage at = stage::start;

        template <class Self>
        void operator()(Self& self, error_code failed = {}, std::size_t count = 0)
        {
            const std::shared_ptr<state> all = of; // ours moves with self
            if (at == stage::written) {
                all->is_at_line_start = count != 0 && static_cast<const char*>(source.data())[count - 1] == '\n';
                return self.complete(failed, count);
            }
            if (failed)
                return self.complete(failed, 0);
            if (at == stage::start && all->is_at_line_start) {
                at = stage::babbled;
                return boost::asio::async_write(all->inner, boost::asio::buffer(babble()), std::move(self));
            }
            at = stage::written;
            all->inner.async_write_some(source, std::move(self));
        }
    };

    std::shared_ptr<state> state_;
};

} // namespace partyline::test
