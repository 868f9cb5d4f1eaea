#pragma once

#include "gateway/host_session.hpp"
#include "gateway/http_call.hpp"
#include "gateway/remote_session.hpp"

#include <partyline/protocol/message.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace gateway {

/// A server of MCP over HTTP, for a host that talks to it on standard input and output: every request is a POST, with
/// the id and the params that it has. A session that the server has lost is begun again, see `remote_session`.
///
/// Thread safety: everything on the session's executor, which is that of the handlers.
class remote_server final : public std::enable_shared_from_this<remote_server> {
public:
    explicit remote_server(remote_address at);

    /// What the host's session is served by, and speaks.
    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<remote_server>& one);
    const partyline::profile& profile() const noexcept { return host_.profile(); }

    /// Tells the server that its session is over; waits a moment for that. When nothing else runs any more.
    void end_session();

private:
    using json_text = partyline::json_text;
    using executor_type = boost::asio::any_io_executor;
    struct listen_place;

    boost::asio::awaitable<json_text> forward(partyline::request_context& context, json_text params);
    boost::asio::awaitable<json_text> request(partyline::request_context& context, const std::string& method,
                                              const json_text& params);
    boost::asio::awaitable<json_text> post(partyline::request_context& context, const std::string& method,
                                           const json_text& params, bool is_modern);
    /// Reads the answer until the reply to this id; what comes before is for the host.
    boost::asio::awaitable<json_text> read_reply(partyline::request_context& context, http_call& answer,
                                                 const answer_head& head);
    boost::asio::awaitable<void> tell(executor_type executor, std::string method, json_text params);
    boost::asio::awaitable<void> listen(executor_type executor);
    boost::asio::awaitable<bool> listen_once(const executor_type& executor, listen_place& at);
    /// What the server says by itself: a notification, or a question.
    boost::asio::awaitable<void> take(const executor_type& executor, const partyline::message& m);
    boost::asio::awaitable<void> answer(executor_type executor, std::string id, std::string method, json_text params);
    /// Whether it arrives is for nobody to know.
    boost::asio::awaitable<void> send(executor_type executor, std::string text);
    void tell_cancelled(const executor_type& executor, const partyline::request_id& id);
    field_list fields_for(const std::string& method, const json_text& params) const;
    remote_link& link(const executor_type& executor);

    remote_address url_;
    std::weak_ptr<remote_link> link_; // it goes with the context of its connections
    host_session host_;
    partyline::method_table methods_;
    remote_session session_;
    std::size_t questions_ = 0; // of the server's, that are not answered
    bool is_listening_ = false;
};

/// Serves a host on standard input and output by a server over HTTP. Returns the exit code.
int serve_host(const remote_address& at);

} // namespace gateway
