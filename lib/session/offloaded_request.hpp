#pragma once

#include "session/served_request.hpp"
#include "session/session_door.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/handler.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace partyline {

/// A request whose handler runs on an executor of the method's own, on a fresh strand of it. The result is turned into text
/// there; the answer is given on the session's executor.
///
/// Thread safety: the handler's side and the session's side meet only in what they post to each other's executor, in the
/// atomic `cause`, and in `strand_`, which is given back when the handler has ended: its executor may be gone later.
class offloaded_request final : public served_request,
                                private result_writer,
                                public std::enable_shared_from_this<offloaded_request> {
public:
    offloaded_request(conversation& owner, std::string params, const method_options& options);

    void start();

    /// Gives the answer, on the session's executor.
    void deliver();

    void emit_cancel() override;
    boost::asio::any_io_executor get_executor() const override;

private:
    friend struct offload_ticket;

    static boost::asio::awaitable<void> run(std::shared_ptr<offloaded_request> self);
    void run_plain();
    void fail(std::exception_ptr thrown);
    void hand_back();
    void close_strand();
    void on_dropped();

    void write(const boost::json::value& result) override;
    void write(json_view result) override;
    void write(const json_text& result) override;
    void send(std::string_view method, std::string_view params) override;

    std::shared_ptr<conversation> hold_;
    const std::shared_ptr<session_door> door_;
    mutable std::mutex strand_mutex_;
    boost::asio::any_io_executor strand_;
    boost::asio::cancellation_signal signal_;
    std::string params_;
    byte_buffer result_;
    std::optional<error_object> error_;
};

} // namespace partyline
