#include "gateway/network_server.hpp"

#include "command_line/network_options.hpp"

#include <partyline/http/mcp_client.hpp>
#include <partyline/http/websocket_client.hpp>
#include <partyline/session.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace gateway {
namespace {

// So many requests of the server wait for the host's answers. More are held back, and all messages after them but
// replies.
constexpr std::size_t most_questions = 101;

partyline::session_options options_for(const server_use& use, const partyline::session_options& given)
{
    partyline::session_options how = given;
    how.profile = use.profile;
    how.executor_is_serial = true; // the program has one thread
    how.log = use.log;
    how.on_message = use.on_message;
    how.bounds.in_flight_requests = std::min(how.bounds.in_flight_requests, most_questions);
    return how;
}

partyline::session open_session(asio::any_io_executor executor, network_address at, const server_use& use)
{
    partyline::session_options how = options_for(use, at.how.session);
    if (at.is_websocket()) {
        how.on_overload = partyline::overload::pause; // a host that reads slowly holds its server up
        at.how.session = std::move(how);
        return partyline::http::websocket_client(std::move(executor), at.url, use.methods, std::move(at.how),
                                                 {"mcp", "jsonrpc"});
    }
    partyline::http::mcp_client client(std::move(executor), std::move(at.url), std::move(at.how));
    partyline::session opened = std::move(client).open(std::move(how));
    opened.use_methods(use.methods);
    return opened;
}

class network_server final : public server_source, public std::enable_shared_from_this<network_server> {
public:
    network_server(partyline::session to, std::function<void(std::string_view)> log)
        : session_(std::move(to)), log_(std::move(log))
    {
    }

    void start(std::function<void(partyline::error_code)> on_end) override
    {
        session_.async_run([late = weak_from_this(), on_end = std::move(on_end)](partyline::error_code why) {
            if (const auto self = late.lock())
                on_end(self->failure_of(why));
        });
    }
    void close() override
    {
        is_ending_ = true;
        session_.close();
    }
    void stop() noexcept override
    {
        is_ending_ = true;
        try {
            session_.stop();
        } catch (const std::bad_alloc&) { // it ends with its executor
        }
    }
    bool is_well() const override { return true; }
    partyline::caller& server() override { return session_; }

    partyline::rpc_error no_answer(const partyline::error_code& why, const std::string& details) const override
    {
        const bool says_all = details.empty() || why == partyline::errc::http_status;
        std::string reason = says_all ? details : details + ": ";
        if (!says_all || details.empty())
            reason += why.message();
        return {partyline::error_codes::internal_error, "The server did not answer",
                json::object{{"reason", std::move(reason)}}};
    }

private:
    partyline::error_code failure_of(partyline::error_code why) const
    {
        if (!why || is_ending_)
            return {};
        if (log_)
            log_("the connection ended: " + why.message());
        return why;
    }

    partyline::session session_;
    std::function<void(std::string_view)> log_;
    bool is_ending_ = false; // by us
};

} // namespace

bool network_address::is_websocket() const
{
    return command_line::scheme_of(url).starts_with("ws");
}

std::shared_ptr<server_source> make_network_server(asio::any_io_executor executor, network_address at, server_use use)
{
    partyline::session opened = open_session(std::move(executor), std::move(at), use);
    return std::make_shared<network_server>(std::move(opened), std::move(use.log));
}

} // namespace gateway
