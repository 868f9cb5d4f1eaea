#pragma once

#include "testing/recorder.hpp"
#include "testing/test_loop.hpp"
#include "testing/test_stream.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/config.hpp>
#include <partyline/session.hpp>
#include <partyline/testing/client.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// What is known of a call, on the way and when it has ended.
struct PARTYLINE_EXPORT detail::call_record {
    std::string method;
    std::uint64_t id = 0; // 0 where it could not be sent
    std::optional<response> reply;
    std::vector<boost::json::value> progress;
    boost::asio::cancellation_signal cancel;
    std::weak_ptr<session_pair> owner;
};

/// The server and its client: two sessions over a pair of memory streams, and the loop that runs them.
///
/// The client's is a driver without the facade, since cancels that are sent by themselves need the ids of its calls.
class session_pair : public std::enable_shared_from_this<session_pair> {
public:
    session_pair(const served_methods& methods, client_options options);
    ~session_pair();

    std::shared_ptr<detail::call_record> start_call(std::string method, const call_params& params);
    void cancel(detail::call_record& call);
    void notify(std::string method, const call_params& params);
    /// Waits for the reply.
    void wait_for(const detail::call_record& call);
    void run_until(const std::function<bool()>& predicate);
    void run_until_idle();
    error_code end();
    /// Why there is no reply, in words.
    std::string explain(const detail::call_record& call) const;

    test_loop loop;
    recorder& records() noexcept { return *recorder_; }
    session& server() noexcept { return server_; }

private:
    using ending = std::shared_ptr<std::optional<error_code>>; // how a session has ended

    session make_server(const client_options& how);
    session_options client_session_options(const session_options& server) const;
    void start();
    void launch(const std::shared_ptr<outgoing_message>& message, error_code failed);
    void flush();
    void end_client();
    bool has_ended() const noexcept { return *server_ending_ && *client_ending_; }
    std::string ending_text() const;
    [[noreturn]] void throw_timed_out(const std::string& what) const;

    std::shared_ptr<const dispatcher> methods_; // before what is made of the options, which a function may change
    std::shared_ptr<recorder> recorder_;
    std::pair<memory_stream, memory_stream> ends_; // moved into the sessions
    test_stream stream_;
    session server_;
    std::shared_ptr<stream_driver> client_;
    ending server_ending_ = std::make_shared<std::optional<error_code>>();
    ending client_ending_ = std::make_shared<std::optional<error_code>>();
};

} // namespace partyline::test
