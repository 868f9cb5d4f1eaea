#pragma once

#include "support/faulty_state.hpp"

#include <partyline/transport/detail/stream_adapter.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace partyline::test {

/// What a stream tells about itself by its type: a session treats sockets, descriptors and others each in its own way.
template <class Inner>
struct stream_kind {};
template <class Inner>
    requires requires { typename Inner::protocol_type; }
struct stream_kind<Inner> {
    using protocol_type = typename Inner::protocol_type;
    using lowest_layer_type = Inner;
    static constexpr auto wait_write = Inner::wait_write;
};
template <class Inner>
    requires(detail::descriptor_stream<Inner>)
struct stream_kind<Inner> {
    static constexpr auto wait_write = Inner::wait_write;
};

/// A stream that a `fault_plan` meddles with; otherwise it does what `Inner` does.
///
/// Movable; operations under way keep what they need. Thread safety: as any Asio stream.
template <class Inner = memory_stream>
class faulty_stream : public stream_kind<Inner> {
    using state = faulty_state<Inner>;

public:
    using executor_type = boost::asio::any_io_executor;

    faulty_stream(Inner inner, std::shared_ptr<fault_plan> plan)
        : state_(std::make_shared<state>(std::move(inner), std::move(plan)))
    {
    }
    faulty_stream(faulty_stream&&) noexcept = default;
    faulty_stream& operator=(faulty_stream&&) = delete;
    ~faulty_stream() { close(); }

    executor_type get_executor() { return state_->inner.get_executor(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return start(reading{*boost::asio::buffer_sequence_begin(buffers)}, token);
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return start(writing{*boost::asio::buffer_sequence_begin(buffers)}, token);
    }

    void close()
    {
        if (state_)
            state_->close();
    }

    void non_blocking(bool mode, error_code& failed)
        requires(detail::non_blocking_stream<Inner>)
    {
        state_->inner.non_blocking(mode, failed);
    }

    /// A step like any other. What is to be late can't be done at once: it is for the next asynchronous write.
    std::size_t write_some(boost::asio::const_buffer source, error_code& failed)
        requires(detail::non_blocking_stream<Inner>)
    {
        const fault with = state_->plan->next(false);
        failed = state_->refuse(with, false);
        if (!failed && with.is_late()) {
            state_->postponed = with;
            failed = boost::asio::error::would_block;
        }
        if (failed)
            return 0;
        const std::size_t count = state_->inner.write_some(limited(source, with), failed);
        if (with.what == fault::kind::truncate)
            state_->die(boost::asio::error::eof, boost::asio::error::broken_pipe);
        return count;
    }

    /// Waiting until it can be written to. A step too; but what concerns bytes is for the write that follows.
    template <class Wait, class Token>
    auto async_wait(Wait, Token&& token)
        requires(detail::waiting_stream<Inner>)
    {
        return boost::asio::async_compose<Token, void(error_code)>(wait_operation{state_}, token,
                                                                   state_->inner.get_executor());
    }

private:
    struct reading {
        boost::asio::mutable_buffer buffer;
        static constexpr bool is_read = true;

        template <class Handler>
        static void move(state& all, boost::asio::mutable_buffer target, Handler&& handler)
        {
            all.inner.async_read_some(target, std::forward<Handler>(handler));
        }
    };

    struct writing {
        boost::asio::const_buffer buffer;
        static constexpr bool is_read = false;

        template <class Handler>
        static void move(state& all, boost::asio::const_buffer source, Handler&& handler)
        {
            all.inner.async_write_some(source, std::forward<Handler>(handler));
        }
    };

    enum class stage { start, held, moving, end };

    template <class Way>
    struct operation {
        std::shared_ptr<state> of;
        Way way;
        fault with = {};
        stage at = stage::start;
        error_code result = {};
        std::size_t moved = 0;

        template <class Self>
        void operator()(Self& self, error_code failed = {}, std::size_t count = 0)
        {
            switch (at) {
            case stage::start: return begin(self);
            case stage::held: return move(self);
            case stage::moving:
                at = stage::end;
                result = of->outcome(failed, Way::is_read);
                moved = count;
                if (with.what == fault::kind::truncate)
                    of->die(boost::asio::error::eof, boost::asio::error::broken_pipe);
                if (with.what == fault::kind::finish_late && !of->is_closed)
                    return hold(self);
                [[fallthrough]];
            case stage::end: self.complete(result, moved);
            }
        }

        template <class Self>
        void begin(Self& self)
        {
            with = of->plan->next(Way::is_read);
            if (!Way::is_read && of->postponed.is_late())
                with = std::exchange(of->postponed, {});
            result = of->refuse(with, Way::is_read);
            if (result) {
                at = stage::end;
                return boost::asio::post(of->inner.get_executor(), std::move(self));
            }
            if (with.what != fault::kind::start_late)
                return move(self);
            at = stage::held;
            hold(self);
        }

        template <class Self>
        void move(Self& self)
        {
            at = stage::moving;
            const std::shared_ptr<state> all = of; // ours moves with self
            Way::move(*all, limited(way.buffer, with), std::move(self));
        }

        template <class Self>
        void hold(Self& self)
        {
            const std::shared_ptr<state> all = of;
            all->plan->hold(all->inner.get_executor(), std::move(self));
        }
    };

    struct wait_operation {
        std::shared_ptr<state> of;
        stage at = stage::start;
        error_code result = {};

        template <class Self>
        void operator()(Self& self, error_code failed = {})
        {
            if (at != stage::start)
                return self.complete(at == stage::end ? result : of->outcome(failed, false));
            const std::shared_ptr<state> all = of;
            const fault with = all->plan->next(false);
            result = all->refuse(with, false);
            at = result || with.is_late() ? stage::end : stage::moving;
            if (result)
                boost::asio::post(all->inner.get_executor(), std::move(self));
            else if (with.is_late())
                all->plan->hold(all->inner.get_executor(), std::move(self));
            else
                all->inner.async_wait(Inner::wait_write, std::move(self));
        }
    };

    template <class Way, class Token>
    auto start(Way way, Token& token)
    {
        return boost::asio::async_compose<Token, void(error_code, std::size_t)>(operation<Way>{state_, way}, token,
                                                                                state_->inner.get_executor());
    }

    std::shared_ptr<state> state_;
};

} // namespace partyline::test
