#pragma once

#include "http/serve/http_service.hpp"
#include "http/serve/moved_connection.hpp"
#include "server/connection_service.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace partyline::http {

/// An accepted connection that is served by one stage after the other: its opening, then HTTP or a session, and
/// WebSocket where a request has asked for that. Each has what it needs of the connection handed on by the one before.
class connection_stages final : public served_connection {
public:
    /// `mover`: empty where there is no other thread.
    explicit connection_stages(connection_mover mover = {}) noexcept : mover_(std::move(mover)) {}

    void close_in_order() override { current_->close_in_order(); }
    void stop_at_once() override { current_->stop_at_once(); }

    /// The next stage; the former is destroyed, and has nothing left to do.
    void enter(std::unique_ptr<served_connection> next) noexcept { current_.swap(next); }
    /// It goes on on another thread; this is destroyed soon.
    void move(std::size_t to, moved_connection one) const { mover_(to, std::move(one)); }

private:
    const connection_mover mover_;
    std::unique_ptr<served_connection> current_;
};

/// Owns a stage that its operations hold as well.
class shared_stage final : public served_connection {
public:
    explicit shared_stage(std::shared_ptr<served_connection> one) noexcept : one_(std::move(one)) {}
    ~shared_stage() override { one_->stop_at_once(); }
    void close_in_order() override { one_->close_in_order(); }
    void stop_at_once() override { one_->stop_at_once(); }

private:
    const std::shared_ptr<served_connection> one_;
};

/// How a stage ends: it tells of the end of the connection, or hands the connection on.
///
/// Lifetime: the stages live until the one or the other, or until this stage has been stopped.
class stage_exit {
public:
    /// Nobody is told.
    stage_exit() = default;
    stage_exit(connection_stages& of, std::function<void(error_code)> on_end) noexcept
        : stages_(&of), on_end_(std::move(on_end))
    {
    }

    /// For the next stage.
    const std::function<void(error_code)>& on_end() const noexcept { return on_end_; }
    /// Told once, soon.
    void end(http_service& core) noexcept
    {
        if (on_end_)
            core.post_end(std::exchange(on_end_, nullptr));
    }
    /// `make` returns the next stage, which is to tell of the end by `on_end()`. False where it has thrown: that is the
    /// end.
    template <class Make>
    bool hand_on(http_service& core, const Make& make)
    {
        std::unique_ptr<served_connection> next;
        try {
            next = make();
        } catch (...) {
            core.note_failure(std::current_exception());
            end(core);
            return false;
        }
        on_end_ = nullptr;
        connection_stages& stages = *stages_;
        const bool has_to_end = core.is_draining(); // all were told, and this one was not there yet
        stages.enter(std::move(next));
        if (has_to_end)
            stages.close_in_order();
        return true;
    }

    /// The connection goes on on another thread. Where that fails, it ends.
    void move_on(http_service& core, std::size_t to, moved_connection one) noexcept
    {
        try {
            one.on_end = on_end_;
            stages_->move(to, std::move(one));
            on_end_ = nullptr;
        } catch (...) {
            core.note_failure(std::current_exception());
            end(core);
        }
    }

private:
    connection_stages* stages_ = nullptr;
    std::function<void(error_code)> on_end_;
};

} // namespace partyline::http
