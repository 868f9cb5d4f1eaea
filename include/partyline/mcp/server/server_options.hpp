#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/server/state_keys.hpp>
#include <partyline/rpc/middleware.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace partyline::mcp {

/// The options of a server. The defaults suit one process on standard input and output.
struct server_options {
    /// The title that people are shown in place of the name; left out when empty.
    std::string title = {};
    /// The description of the server; left out when empty.
    std::string description = {};
    /// The address of a page about the server; left out when empty.
    std::string website_url = {};
    /// The icons of the server; left out when there are none.
    std::vector<icon> icons = {};
    /// Instructions to the client's model for the use of the server.
    std::string instructions = {};
    /// Most tools, resources, templates or prompts on a page of their list. 0: no bound.
    std::size_t page_size = 0;
    /// How long a client may keep lists; from 2026-07-28 on. (A client that listens is notified of changes.)
    std::chrono::milliseconds list_lifetime = std::chrono::minutes(5);
    /// How long a client may keep the contents of resources.
    std::chrono::milliseconds resource_lifetime = std::chrono::milliseconds(0);
    /// Whether caches may serve the lists of one client to others, since they are the same for all.
    bool are_lists_public = false;
    /// Whether caches may serve the contents of resources of one client to others.
    bool are_resources_public = false;
    /// The keys that sign the state of a handler between its runs; see `state_keys`.
    mcp::state_keys state_keys = mcp::state_keys::random();
    /// How long a client may take for the answers of one round.
    std::chrono::milliseconds state_lifetime = std::chrono::minutes(10);
    /// Most bytes of a handler's state between its runs, as it is sent.
    std::size_t max_state_bytes = std::size_t(64) << 10;
    /// Most resources that a session may subscribe to. Also the most resources, and the most keys of each topic, of one
    /// `subscriptions/listen`.
    std::size_t max_subscriptions = 1024;
    /// Most open `subscriptions/listen` of a session: some clients have one for each resource.
    std::size_t max_listeners = 1024;
    /// The most bytes of a session's subscriptions: URIs, keys of topics (each counts 100 more), and publications that
    /// wait for a slow client, which count once for each `subscriptions/listen`. A publication that waits alone may
    /// exceed it, where `session_options::budget` has room.
    std::size_t max_subscription_bytes = std::size_t(1) << 20;
    /// The middleware around all requests that a feature of the server serves: tools, resources, prompts and their
    /// lists, `server/discover`, `subscriptions/listen`, completion, subscriptions, `logging/setLevel`, methods and
    /// notifications of extensions. Not around `initialize` and `ping`, nor around requests for features that do not
    /// exist. See `method_table::around_requests`.
    ///
    /// The params are those of the request, the arguments of a tool among them. A result that a function makes is the
    /// result of the method: an object, or null for an empty one. From 2026-07-28 on, a result without `resultType`
    /// gets "complete" and the name and version of the server; where results of the method say how long they may be
    /// kept and this one does not, it also gets that it may not be kept. (A function that makes a list different for
    /// each client has to say so, by `cacheScope`.) An exception of a function is an error of the request, also where a
    /// tool was called; `missing_capability` names the capability that the client lacks. Empty: it has no cost.
    ///
    ///     options.around_requests.add([](partyline::request_context& rpc) { count(rpc.method()); });
    request_middleware_list around_requests = {};
};

} // namespace partyline::mcp
