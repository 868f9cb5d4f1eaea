#pragma once

#include "gateway/http_call.hpp"
#include "gateway/relay_profile.hpp"

#include <partyline/protocol/message.hpp>
#include <partyline/rpc/method_table.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gateway {

/// A server of MCP over HTTP, for a host that talks to it on standard input and output: every request is a POST, with the id and
/// the params that it has. A session that the server has lost is begun again, once for each request.
///
/// Thread safety: everything on the session's executor, which is that of the handlers.
class remote_server final : public std::enable_shared_from_this<remote_server> {
public:
    explicit remote_server(http_url at);

    /// What the host's session is served by, and speaks.
    static std::shared_ptr<const partyline::dispatcher> methods_of(const std::shared_ptr<remote_server>& one);
    const partyline::profile& profile() const noexcept { return profile_; }

    /// Tells the server that its session is over; waits a moment for that. When nothing else runs any more.
    void end_session();

private:
    using json_text = partyline::json_text;

    boost::asio::awaitable<json_text> forward(partyline::request_context& context, json_text params);
    boost::asio::awaitable<json_text> request(partyline::request_context& context, const std::string& method,
                                              const json_text& params);
    boost::asio::awaitable<void> tell(boost::asio::any_io_executor executor, std::string text, field_list fields);
    /// Reads the answer until the reply to this id; what comes before is for the host.
    boost::asio::awaitable<json_text> read_reply(partyline::request_context& context, http_call& answer);
    boost::asio::awaitable<void> begin_again(boost::asio::any_io_executor executor);
    boost::asio::awaitable<void> listen(boost::asio::any_io_executor executor);
    boost::asio::awaitable<void> take(partyline::request_context& context, const partyline::message& m);
    void take_unasked(const boost::asio::any_io_executor& executor, const std::string& text);
    void note_greeting(const json_text& result);
    field_list fields_for(const std::string& method, const json_text& params) const;
    void send_later(const boost::asio::any_io_executor& executor, std::string text);

    http_url url_;
    relay_profile profile_{dialect::mcp};
    partyline::method_table methods_;
    std::string session_;  // its id; empty: there is none
    std::string revision_; // that the server has chosen
    json_text greeting_;   // the params of `initialize`
    bool is_initialized_ = false;
    bool is_listening_ = false;
};

/// Serves a host on standard input and output by a server over HTTP. Returns the exit code.
int serve_host(const http_url& at);

} // namespace gateway
