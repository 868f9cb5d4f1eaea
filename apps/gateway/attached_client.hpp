#pragma once

#include "gateway/call_completion.hpp"

#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/asio/async_result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gateway {

inline constexpr std::string_view log_method = "notifications/message";
/// In `_meta` of a notification about a subscription: the id of the request for it.
inline constexpr std::string_view subscription_member = "io.modelcontextprotocol/subscriptionId";

/// A client of a server, as the server's side sees it.
///
/// Thread safety: everything on the executor of the client's session.
class attached_client {
public:
    /// Is let go of when what was told is on its way, or can't be told. May be null.
    using receipt = std::shared_ptr<const void>;

    /// Tells the client.
    virtual void tell(const std::string& method, const partyline::json_text& params, const receipt& kept = {}) = 0;
    /// Tells the client something about a request that is being forwarded, in the answer to the request.
    virtual void tell_in(std::uint64_t request, const std::string& method, const partyline::json_text& params,
                         const receipt& kept = {}) = 0;
    /// Ends the client's session, in order.
    virtual void close_session() = 0;
    /// Asks the client `of`.
    ///
    /// Completes with   void(error_code, response)
    /// Fails with       errc::session_closed, and what a call fails with
    /// Cancellation     terminal, partial, total: that of the call to the client
    template <class Token>
    static auto async_ask(std::shared_ptr<attached_client> of, std::string method, partyline::json_text params,
                          Token&& token)
    {
        return boost::asio::async_initiate<Token, void(partyline::error_code, partyline::response)>(
            [](auto handler, std::shared_ptr<attached_client> self, std::string name, partyline::json_text given) {
                self->start_ask(std::move(name), std::move(given), call_completion::handler(std::move(handler)));
            },
            token, std::move(of), std::move(method), std::move(params));
    }

protected:
    ~attached_client() = default;

private:
    virtual void start_ask(std::string method, partyline::json_text params, call_completion::handler done) = 0;
};

} // namespace gateway
