#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <utility>
#include <vector>

namespace partyline::lsp {

/// A capability that the server offers from now on, though `initialize` did not say so (LSP 3.17, Registration).
struct registration {
    /// To unregister it by.
    std::string id;
    /// The request or notification that is offered: "textDocument/hover".
    std::string method;
    /// Absent when null.
    boost::json::value options = nullptr;
};

/// The params of `client/registerCapability` and `client/unregisterCapability`.
PARTYLINE_EXPORT boost::json::value registration_params(const std::vector<registration>& added);
/// The same of capabilities that are taken back: their ids and methods.
PARTYLINE_EXPORT boost::json::value unregistration_params(const std::vector<registration>& removed);

/// Offers capabilities to the client.
///
/// Completes with   void(error_code, response), as `async_call`; the client's error is a value of the response
/// Before           the client has said that it takes them: `client_info::has_capability`
///                  ("textDocument.hover.dynamicRegistration")
template <class Token = boost::asio::deferred_t>
    requires boost::asio::completion_token_for<Token, void(error_code, response)>
auto async_register(caller& session, const std::vector<registration>& added, Token&& token = {})
{
    return session.async_call("client/registerCapability", registration_params(added), std::forward<Token>(token));
}
/// Takes them back. The rest is as of `async_register`.
template <class Token = boost::asio::deferred_t>
    requires boost::asio::completion_token_for<Token, void(error_code, response)>
auto async_unregister(caller& session, const std::vector<registration>& removed, Token&& token = {})
{
    return session.async_call("client/unregisterCapability", unregistration_params(removed),
                              std::forward<Token>(token));
}

} // namespace partyline::lsp
