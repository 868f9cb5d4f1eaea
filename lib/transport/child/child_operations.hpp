#pragma once

#include "transport/child/child_core.hpp"

#include <boost/asio/cancellation_state.hpp>

#include <chrono>
#include <csignal>

namespace partyline {

// What `child_process` has under way, for `async_compose`.

class child_read {
public:
    child_read(std::shared_ptr<child_core> core, boost::asio::mutable_buffer target)
        : core_(std::move(core)), target_(target)
    {
    }

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        child_core& core = *core_; // moved with self
        core.read(target_, std::move(self));
    }

    template <class Self>
    void operator()(Self& self, error_code failed, std::size_t count)
    {
        if (failed == boost::asio::error::operation_aborted && core_->has_exited())
            count = core_->read_left(target_, failed);
        if (!is_end(failed))
            return self.complete(failed, count);
        if (core_->has_exited())
            return self.complete(boost::asio::error::eof, 0);
        child_core& core = *core_;
        core.wait_exit_at_eof(std::chrono::milliseconds(500), std::move(self));
    }

    template <class Self>
    void operator()(Self& self, error_code failed)
    {
        // Woken without a reason: that was a cancel.
        const bool is_aborted = core_->is_closed() || (failed && !core_->has_exited());
        self.complete(is_aborted ? boost::asio::error::operation_aborted : error_code(boost::asio::error::eof), 0);
    }

private:
    // A socket says `connection_reset` when the child has not read everything.
    static bool is_end(error_code failed)
    {
        return failed == boost::asio::error::eof || failed == boost::asio::error::connection_reset;
    }

    std::shared_ptr<child_core> core_;
    boost::asio::mutable_buffer target_;
};

class child_write {
public:
    child_write(std::shared_ptr<child_core> core, boost::asio::const_buffer source)
        : core_(std::move(core)), source_(source)
    {
    }

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        wait(self);
    }

    template <class Self>
    void operator()(Self& self, error_code failed)
    {
        if (failed == boost::asio::error::operation_aborted && !core_->has_exited())
            return self.complete(failed, 0);
        const std::size_t count = core_->write_some(source_, failed);
        if (failed == boost::asio::error::would_block)
            return wait(self);
        self.complete(failed, count);
    }

private:
    template <class Self>
    void wait(Self& self)
    {
        child_core& core = *core_;
        core.wait_writable(std::move(self));
    }

    std::shared_ptr<child_core> core_;
    boost::asio::const_buffer source_;
};

/// The ladder. Each step is bounded, and a cancellation leads to its end.
class child_end {
public:
    explicit child_end(std::shared_ptr<child_core> core) : core_(std::move(core)) {}

    template <class Self>
    void operator()(Self& self)
    {
        self.reset_cancellation_state(boost::asio::enable_total_cancellation());
        core_->close_send();
        wait(self, core_->exit_wait_left());
    }

    template <class Self>
    void operator()(Self& self, error_code cancelled)
    {
        if (core_->is_gone())
            return finish(self, error_code());
        if (core_->is_closed())
            return finish(self, boost::asio::error::operation_aborted);
        if (last_signal_ == SIGKILL)
            return finish(self, cancelled ? cancelled : error_code(boost::asio::error::timed_out));
        last_signal_ = cancelled || last_signal_ == SIGTERM ? SIGKILL : SIGTERM;
        core_->signal(last_signal_);
        wait(self, core_->options().term_wait);
    }

private:
    template <class Self>
    void wait(Self& self, child_core::clock::duration limit)
    {
        child_core& core = *core_; // moved with self
        core.wait_gone(limit, std::move(self));
    }

    template <class Self>
    void finish(Self& self, error_code failed)
    {
        core_->leave_end();
        self.complete(failed, core_->report()->exit().value_or(child_exit()));
    }

    std::shared_ptr<child_core> core_;
    int last_signal_ = 0;
};

} // namespace partyline
