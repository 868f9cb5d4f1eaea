#pragma once

#include "support/dialogue.hpp"

#include <partyline/session.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What a call came to.
struct settled {
    error_code failed;
    call_result<boost::json::value> reply;
};

/// A call that is under way until it has a value.
using pending = std::shared_ptr<std::optional<settled>>;

/// A notification that came.
struct heard_notification {
    std::string method;
    boost::json::object params;
};

/// A client of `@modelcontextprotocol/server-everything`, which it starts, and which it answers what it is asked back.
/// Everything happens in the calls of this class, on the calling thread, and every wait is bounded.
class everything_client {
public:
    /// Starts the server and goes through the handshake of the Model Context Protocol.
    explicit everything_client(child_options options = {});

    boost::asio::io_context context{1};
    /// Who wants a sample of us waits here for it.
    gate sampling{context};
    std::vector<heard_notification> heard;
    /// The texts of the ids of requests, out and in.
    std::set<std::string> our_ids;
    std::set<std::string> its_ids;
    /// What `initialize` returned.
    boost::json::object introduction;

    session& talk() { return *session_; }
    const child_report& server() const { return *server_; }

    /// Starts a call.
    pending start(std::string method, boost::json::value params = nullptr, call_options options = {},
                  boost::asio::cancellation_slot slot = {});
    pending start_tool(std::string_view name, boost::json::object arguments = {},
                       boost::json::value progress_token = nullptr);

    settled wait(const pending& call);
    /// The result, which must come.
    boost::json::value result_of(const pending& call) { return wait(call).reply.value(); }
    /// The texts that a tool returns, one after the other.
    std::string text_of(const pending& tool_call);

    void notify(std::string method);
    void run_until(const std::function<bool()>& done);
    /// How the session ends, once it has been told to.
    error_code wait_end();

private:
    method_table make_methods();
    session_options make_options();
    void initialize();

    std::optional<session> session_;
    std::shared_ptr<const child_report> server_;
    std::optional<error_code> ended_;
};

} // namespace partyline::test
