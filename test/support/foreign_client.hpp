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
    boost::json::value params;
};

/// A client of a server that is foreign code, which it starts as a child process.
/// Everything happens in the calls of this class, on the calling thread, and every wait is bounded.
class foreign_client {
public:
    foreign_client();

    boost::asio::io_context context{1};
    /// What the server is answered, and how the session behaves: to be set before it is started.
    method_table methods;
    session_options options;
    std::vector<heard_notification> heard;
    /// The texts of the ids of requests, out and in.
    std::set<std::string> our_ids;
    std::set<std::string> its_ids;

    /// Takes notifications of this method into `heard`.
    void listen_to(const std::string& method);
    void start_server(const std::vector<std::string>& command, child_options how = {});

    session& talk() { return *session_; }
    const child_report& server() const { return *server_; }

    /// Starts a call.
    pending start(std::string method, boost::json::value params = nullptr, call_options how = {},
                  boost::asio::cancellation_slot slot = {});
    settled wait(const pending& call);
    /// The result, which must come.
    boost::json::value result_of(const pending& call) { return wait(call).reply.value(); }
    /// The error that it must be answered with.
    error_object error_of(const pending& call);

    void notify(std::string method, boost::json::value params = nullptr);
    /// The notifications of a method that came, in order.
    std::vector<boost::json::value> heard_of(std::string_view method) const;

    void run_until(const std::function<bool()>& done);
    /// How the session ends, once it has been told to.
    error_code wait_end();

private:
    std::optional<session> session_;
    std::shared_ptr<const child_report> server_;
    std::optional<error_code> ended_;
};

} // namespace partyline::test
