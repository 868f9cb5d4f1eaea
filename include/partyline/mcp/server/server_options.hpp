#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/server/state_keys.hpp>
#include <partyline/rpc/middleware.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace partyline::mcp {

/// What a server says of itself, and how it goes about things. The defaults suit one process on standard input and
/// output.
struct server_options {
    /// What people are shown in place of the name; left out when empty.
    std::string title = {};
    /// What it is for; left out when empty.
    std::string description = {};
    /// Left out when empty.
    std::string website_url = {};
    /// Left out when there are none.
    std::vector<icon> icons = {};
    /// How the client's model is to use the server.
    std::string instructions = {};
    /// At most so many tools, resources, templates or prompts stand on a page of their list. 0: all.
    std::size_t page_size = 0;
    /// How long a client may keep lists; from 2026-07-28 on. (It is told of changes if it listens.)
    std::chrono::milliseconds list_lifetime = std::chrono::minutes(5);
    /// How long it may keep what it has read.
    std::chrono::milliseconds resource_lifetime = std::chrono::milliseconds(0);
    /// Whether other clients may have what was kept of lists for one, since these are the same for all.
    bool are_lists_public = false;
    /// The same of what was read.
    bool are_resources_public = false;
    /// What a handler remembers between its runs is signed with these; see `state_keys`.
    mcp::state_keys state_keys = mcp::state_keys::random();
    /// How long a client may take for the answers of one round.
    std::chrono::milliseconds state_lifetime = std::chrono::minutes(10);
    /// How much a handler may remember, in bytes as it is sent.
    std::size_t max_state_bytes = std::size_t(64) << 10;
    /// How many resources a session may subscribe to. Also the most resources, and the most keys of each topic, of one
    /// `subscriptions/listen`.
    std::size_t max_subscriptions = 1024;
    /// How many `subscriptions/listen` it may have open: some clients have one for each resource.
    std::size_t max_listeners = 1024;
    /// The most bytes of a session's subscriptions: URIs, keys of topics (each counts 100 more), and publications that
    /// wait for a slow client, which count once for each `subscriptions/listen`. A publication that waits alone may
    /// exceed it, where `session_options::budget` has room.
    std::size_t max_subscription_bytes = std::size_t(1) << 20;
    /// What all requests pass that something here serves: tools, resources, prompts and their lists, `server/discover`,
    /// `subscriptions/listen`, completion, subscriptions, `logging/setLevel`, methods and notifications of extensions.
    /// Not `initialize` and `ping`, nor requests for what is not there. See `method_table::around_requests`.
    ///
    /// The params are those of the request, the arguments of a tool among them. A result that a function makes is that
    /// of the method, an object, or null for an empty one. From 2026-07-28 on, where it has no `resultType`, it gets
    /// "complete", who the server is, and, where such a result says how long it may be kept and this one does not, that
    /// it may not. (A function that makes a list another one for each client has to say so, by `cacheScope`.) What a
    /// function throws is an error of the request, also where a tool was called; `missing_capability` names what the
    /// client lacks. Empty: nothing is paid for it.
    ///
    ///     options.around_requests.add([](partyline::request_context& rpc) { count(rpc.method()); });
    request_middleware_list around_requests = {};
};

} // namespace partyline::mcp
