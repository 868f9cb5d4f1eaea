#pragma once

#include "command_line/observer.hpp"
#include "gateway/attached_clients.hpp"
#include "gateway/either_protocol.hpp"
#include "gateway/handshake.hpp"
#include "gateway/kept_bytes.hpp"
#include "gateway/listed_tools.hpp"
#include "gateway/log_recipients.hpp"
#include "gateway/named_requests.hpp"
#include "gateway/relay_profile.hpp"
#include "gateway/resource_watchers.hpp"
#include "gateway/running_servers.hpp"
#include "gateway/server_source.hpp"

#include <partyline/async/async_mutex.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

/// Where a server comes from, and which clients it has.
struct upstream_options {
    server_maker open;
    protocol speaks = protocol::mcp;
    /// Several clients use it. It can ask none of them, and a client hears only what all may hear, or what is known to
    /// be meant for that client.
    bool is_shared = false;
    /// Each request tells it who has sent that, by `peer_member`.
    bool is_told_peers = false;
    /// Each request and notification tells it of its trace; otherwise those whose clients have told of one.
    bool is_told_traces = false;
    /// Observes the requests that are passed on to it. May be empty.
    command_line::call_observer observe = {};
    /// The only client is told one thing after the other: where it takes them slowly, the server is held up. For a
    /// client that reads all the time; others would hold the server up for ever.
    bool waits_for_client = false;
    /// The clients' sessions end with the server, when what it has not answered is answered in its place.
    bool ends_clients = false;
    /// Called when there is no server any more and none will come, with the reason where that is a failure. May be
    /// empty.
    std::function<void(partyline::error_code)> on_end = {};
    /// Is told of its lists of tools. May be null.
    std::shared_ptr<listed_tools> tools = {};
    /// The bytes that clients of all servers make the gateway keep, see `kept_bytes`. May be null.
    std::shared_ptr<partyline::memory_budget> kept = {};
    /// Lives as long as the server runs.
    running_servers* running = nullptr;
    /// What it has taken of a bound of all servers, until it is destroyed. May be null.
    std::shared_ptr<const void> taken = {};
    /// Is told what happens to the server.
    std::function<void(std::string_view)> log = {};
};

/// The answer of a server, or why there is none.
struct answer {
    partyline::error_code failed;
    partyline::response reply;
    bool is_own = false; // of the gateway: the server was not asked
};

/// A server, wherever it comes from, and its clients. Where another server takes its place, that is told what the last
/// one was told: see `handshake`.
///
/// Thread safety: everything on the executor.
class upstream final : public std::enable_shared_from_this<upstream> {
public:
    upstream(boost::asio::any_io_executor executor, upstream_options options);

    /// Starts it.
    void start();
    /// Ends it in order.
    void stop();
    /// Releases the server, so that it is killed with the context, which is not run any more. Else requests under way
    /// would keep it.
    void release() noexcept { source_.reset(); }
    bool is_shared() const noexcept { return options_.is_shared; }
    bool is_told_peers() const noexcept { return options_.is_told_peers; }
    bool is_told_traces() const noexcept { return options_.is_told_traces; }
    /// Begins to observe a request of a client, who speaks this revision of MCP, that it is to be asked next. Null:
    /// nobody asks.
    std::unique_ptr<command_line::observed_call>
    observe(partyline::request_context& context, const partyline::json_text& params, std::string_view revision) const;
    /// The error for a client whose request the server has not answered.
    partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const
    {
        return source_->no_answer(why, details);
    }

    /// Where it was not known what its client speaks: that is MCP.
    void speak_mcp() { either_.become_mcp(); }

    boost::asio::any_io_executor get_executor() const { return executor_; }
    void attach(const std::shared_ptr<attached_client>& client);
    void detach(const attached_client& gone) noexcept;

    /// A request is being forwarded, and has ended.
    void note_request(const attached_client& by, std::uint64_t number, log_recipients::request_traits what)
    {
        logs_.on_request(by, number, what);
    }
    void note_end(const attached_client& by, std::uint64_t number, log_recipients::outcome how) noexcept;
    /// A request that the server may name is to be asked next; waits until there is no other one that has not gone out.
    /// Throws `rpc_error` where there is no room for its names.
    partyline::task<> expect_named(named_request next);
    /// Whether the client has subscribed to the resource that these params name, as far as that is known.
    bool is_watching(const attached_client& by, const partyline::json_text& params) const;
    /// The lists that it may change, where it was greeted: see `handshake::changing_lists`.
    std::vector<std::string> changing_lists() const { return handshake_.changing_lists(); }

    /// Forwards a notification; ends when it is on its way.
    partyline::task<> tell(std::string method, partyline::json_text params);
    /// Forwards a request. Cancelled, also by the signal once it waits for the answer, it fails with operation_aborted,
    /// and the server is told.
    partyline::task<answer> ask(const attached_client& by, std::string method, partyline::json_text params,
                                partyline::call_options how, boost::asio::cancellation_signal& cancel);

private:
    using json_text = partyline::json_text;

    // What the clients ask.
    partyline::task<answer> call(std::string method, json_text params, partyline::call_options how,
                                 boost::asio::cancellation_signal& cancel);
    partyline::task<answer> set_up(const attached_client& by, json_text params, partyline::call_options how,
                                   boost::asio::cancellation_signal& cancel);
    partyline::task<answer> set_level(json_text params, partyline::call_options how,
                                      boost::asio::cancellation_signal& cancel);
    partyline::task<answer> list_tools(json_text params, partyline::call_options how,
                                       boost::asio::cancellation_signal& cancel);
    partyline::task<answer> subscribe(const attached_client& by, json_text params, partyline::call_options how,
                                      boost::asio::cancellation_signal& cancel);
    partyline::task<answer> greet(handshake::said greeting);
    void stop_watching(const attached_client& gone) noexcept;

    // What the server asks.
    partyline::task<json_text> serve(partyline::request_context& context, json_text params);
    partyline::task<> tell_client(std::string method, json_text params);

    server_use use();
    void note_sent(const partyline::message_event& request);
    void on_end(partyline::error_code why);
    void tell_end(partyline::error_code why);
    boost::asio::awaitable<void> greet_again(partyline::caller& server);

    const partyline::profile* profile() const noexcept;

    boost::asio::any_io_executor executor_;
    upstream_options options_;
    either_protocol either_;        // that of the session with it, where that is open
    kept_bytes kept_;               // for what stands below
    partyline::async_mutex naming_; // held while a request that the server may name has not gone out
    named_requests named_;
    log_recipients logs_;
    resource_watchers watchers_;
    attached_clients clients_;
    partyline::async_mutex greeting_; // held while a server that clients share is greeted
    handshake handshake_;
    bool has_begun_ = false;
    std::shared_ptr<server_source> source_;
};

} // namespace gateway
