#pragma once

#include "server_facts.hpp"

#include <partyline/mcp/client.hpp>
#include <partyline/session/operation.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// What the command line of the test program has behind "--": which server it is (see `facts_of`), how the client finds
/// its era, and the command, or the URL.
struct driven_command {
    std::string server;
    std::string mode;
    std::vector<std::string> command;

    static driven_command given();
    mcp::client_options options() const;
};

/// A foreign server, and a client of ours that has started it by its command, or reaches it by HTTP. Everything happens
/// in the calls of this class, on the calling thread, and every wait is bounded.
class driven_server {
public:
    /// Starts it, and the conversation.
    driven_server();
    driven_server(const driven_server&) = delete;
    driven_server& operator=(const driven_server&) = delete;

    /// The one that most cases use, since starting some takes a second. Started when it is asked for.
    static driven_server& shared();
    /// Ends that one.
    static void end_shared();

    boost::asio::io_context context{1};
    server_facts facts;
    /// What the user makes of a form.
    mcp::elicit_answer answer;
    /// What the client was asked and told.
    std::vector<mcp::elicit_request> asked;
    std::vector<mcp::log_entry> logged;
    std::vector<std::string> updated;
    int changes = 0;

    mcp::client& client() { return *client_; }
    /// By HTTP: what it tells unasked before there is a stream for that is lost.
    bool is_remote() const noexcept { return !process_; }
    /// Of a server that was started.
    const child_report& process() const { return *process_; }

    void run_until(const std::function<bool()>& done);
    /// Does what asks the server for something, again and again, until it says that all is as it should be.
    void repeat_until(const std::function<bool()>& done);
    /// Whether that happens before long: some tell of changes once there is a pause between them.
    bool is_soon(const std::function<bool()>& done);
    /// What an operation gives. What it fails with is thrown.
    template <class T>
    T run(operation<T> what)
    {
        std::optional<call_result<T>> outcome;
        std::move(what)([&](error_code, call_result<T> told) { outcome.emplace(std::move(told)); });
        run_until([&] { return outcome.has_value(); });
        return std::move(*outcome).value();
    }
    mcp::tool_answer call(const tool_use& use);
    /// The code of the error that the server answers instead.
    template <class T>
    int error_of(operation<T> what)
    {
        try {
            run(std::move(what));
        } catch (const rpc_error& thrown) {
            return thrown.error().code;
        }
        return 0;
    }

private:
    void open(const std::vector<std::string>& command, mcp::client_options options);
    void set_handlers();
    bool happens(const std::function<bool()>& done, std::chrono::milliseconds within);

    std::shared_ptr<const child_report> process_;
    std::optional<mcp::client> client_;
};

} // namespace partyline::test
