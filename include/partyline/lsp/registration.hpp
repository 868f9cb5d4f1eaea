#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/operation.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace partyline::lsp {

/// A capability that the server offers from now on, though `initialize` did not say so (LSP 3.17, Registration).
struct registration {
    /// The id to unregister the capability by.
    std::string id;
    /// The request or notification that is offered: "textDocument/hover".
    std::string method;
    /// The options of the registration; absent when null.
    boost::json::value options = nullptr;
};

/// Offers capabilities to the client.
///
/// Completes with   void, when the client has taken them
/// Fails with       as `caller::call`
/// Before           the client has declared that it takes registrations: `client_info::has_capability`
///                  ("textDocument.hover.dynamicRegistration")
PARTYLINE_EXPORT operation<void> register_capabilities(caller& session, const std::vector<registration>& added);
/// Withdraws capabilities. The rest is as of `register_capabilities`.
PARTYLINE_EXPORT operation<void> unregister_capabilities(caller& session, const std::vector<registration>& removed);

} // namespace partyline::lsp
