#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/session/detail/end_reason.hpp>
#include <partyline/transport/child_exit.hpp>
#include <partyline/transport/child_options.hpp>
#include <partyline/transport/child_report.hpp>
#include <partyline/transport/detail/first_buffer.hpp>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/deferred.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace partyline {

class child_core;

/// A server that we start, as a stream: writes go to its standard input, reads come from its standard output. An Asio
/// stream, for a session to talk over:
///
///     partyline::session client(partyline::child_process(executor, {"server", "--flag"}));
///
/// The process leads a group of its own, gets the descriptors 0, 1 and 2 and no other, and starts as from a shell: no
/// signal is blocked or ignored (but SIGHUP where it is). We install no signal handler and start no thread. The end of
/// the process is noticed in the background, where also its standard error is read: that keeps `run()` running while
/// the process lives.
///
/// Input ends when the process ends: the rest of its output is read, then comes `eof`, even while a child of its own
/// holds the pipe. Processes that are left in its group then get a SIGTERM, and SIGKILL after `term_wait`; a process
/// that is to live on has to leave the group (`setsid`). Where the output ends first, `eof` waits half a second for the
/// process, so that `why_ended()` can tell.
///
/// Movable. Destroying it closes it, that is, kills the process: `async_end` is the orderly way.
/// Thread safety: as any Asio stream, used from one thread at a time; `kill()`, `why_ended()` and what `report()`
/// returns may be used from any.
class PARTYLINE_EXPORT child_process {
public:
    /// The type of the executor, as Asio requires it of a stream.
    using executor_type = boost::asio::any_io_executor;

    /// Starts `command`: a program and its arguments. Without a slash it is looked for in the PATH of its own
    /// environment, or in ours when that has none; only in absolute directories. A relative path counts from where the
    /// child starts. Throws `system_error`, which names the command and the reason, when it can't be started;
    /// `std::invalid_argument` for a command that is empty, and for words and variables that can't be.
    child_process(executor_type executor, std::vector<std::string> command, child_options options = {});

    /// Returns why `command` can't be started at present, as far as that is known before it is tried: there is no such
    /// file where the constructor would look for it, or it can't be run. Throws `std::invalid_argument` as that does.
    static error_code check(const std::vector<std::string>& command, const child_options& options = {});

    child_process(child_process&&) noexcept = default;
    child_process& operator=(child_process&& other) noexcept;
    ~child_process();

    /// The executor on which operations complete, unless their handlers have another one.
    executor_type get_executor() const noexcept;

    /// Reads the bytes that are there, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       eof: it has ended, or closed its output; operation_aborted
    /// Cancellation     terminal, partial, total: nothing has been read
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_read_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<child_core> core, boost::asio::mutable_buffer target) {
                start_read(std::move(core), target, std::move(handler));
            },
            token, core_, detail::first_buffer<boost::asio::mutable_buffer>(buffers));
    }

    /// Writes the bytes that there is room for, at least one.
    ///
    /// Completes with   void(error_code, std::size_t)
    /// Fails with       broken_pipe: it has ended, or closed its input; operation_aborted, also after `close_send()`
    /// Cancellation     terminal, partial, total: nothing has been written
    /// Lifetime         the buffers stay valid until completion; of several only the first that is not empty is used
    template <class Buffers,
              boost::asio::completion_token_for<void(error_code, std::size_t)> Token = boost::asio::deferred_t>
    auto async_write_some(const Buffers& buffers, Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, std::size_t)>(
            [](auto handler, std::shared_ptr<child_core> core, boost::asio::const_buffer source) {
                start_write(std::move(core), source, std::move(handler));
            },
            token, core_, detail::first_buffer<boost::asio::const_buffer>(buffers));
    }

    /// Writes the bytes that there is room for without waiting: fails with `would_block` when there is no room, else as
    /// `async_write_some`.
    template <class Buffers>
    std::size_t write_some(const Buffers& buffers, error_code& failed)
    {
        return try_write(detail::first_buffer<boost::asio::const_buffer>(buffers), failed);
    }

    /// The stream never blocks: `false` fails with `operation_not_supported`.
    void non_blocking(bool mode, error_code& failed) noexcept;

    /// Ends sending: the process reads the rest of its input, then the end. Reading goes on.
    void close_send();

    /// Ends the process in order: closes its input if that has not been done, waits for it, sends SIGTERM to its group
    /// after `exit_wait` and SIGKILL after `term_wait`, and takes its status. A server that is stuck in writing doesn't
    /// end by itself: go on reading meanwhile.
    ///
    /// Completes with   void(error_code, child_exit), when it has been reaped and nothing of its group is left
    /// Fails with       timed_out: `term_wait` after SIGKILL the kernel still holds it, it is reaped in the background;
    ///                  operation_aborted: `close()`, or a second cancellation; errc::already_started: it is under way
    /// Cancellation     terminal, partial, total: sends SIGKILL at once; the second time, waits no longer
    /// Lifetime         the stream may be moved or destroyed meanwhile
    template <boost::asio::completion_token_for<void(error_code, child_exit)> Token = boost::asio::deferred_t>
    auto async_end(Token&& token = {})
    {
        return boost::asio::async_initiate<Token, void(error_code, child_exit)>(
            [](auto handler, std::shared_ptr<child_core> core) { start_end(std::move(core), std::move(handler)); },
            token, core_);
    }

    /// Sends SIGKILL to the process's group. Its earlier output can still be read.
    void kill();

    /// Kills its group, takes its status and ends every operation under way. A process that takes longer than a tenth
    /// of a second to go is reaped in the background.
    void close();

    /// The details for calls of a session that get no reply: the end of the process, and its last lines.
    detail::end_reason why_ended() const;

    /// The facts about the process; the object stays valid after the stream has been moved, and after its end.
    std::shared_ptr<const child_report> report() const;

private:
    using transfer_handler = boost::asio::any_completion_handler<void(error_code, std::size_t)>;
    using end_handler = boost::asio::any_completion_handler<void(error_code, child_exit)>;

    static void start_read(std::shared_ptr<child_core> core, boost::asio::mutable_buffer target, transfer_handler done);
    static void start_write(std::shared_ptr<child_core> core, boost::asio::const_buffer source, transfer_handler done);
    static void start_end(std::shared_ptr<child_core> core, end_handler done);
    std::size_t try_write(boost::asio::const_buffer source, error_code& failed);

    std::shared_ptr<child_core> core_;
};

} // namespace partyline
