#pragma once

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/state_keys.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace partyline::mcp {

/// What a server says of itself, and how it goes about things. The defaults suit one process on standard input and
/// output.
struct server_options {
    std::string title = {};
    std::string description = {};
    std::string website_url = {};
    std::vector<icon> icons = {};
    /// How the client's model is to use the server.
    std::string instructions = {};
    /// At most so many tools, resources, templates or prompts stand on a page of their list. 0: all.
    std::size_t page_size = 0;
    /// How long a client may keep lists, and what it has read; from 2026-07-28 on. (It is told of changes if it listens.)
    std::chrono::milliseconds list_lifetime = std::chrono::minutes(5);
    std::chrono::milliseconds resource_lifetime = std::chrono::milliseconds(0);
    /// Whether other clients may have what was kept for one, since it is the same for all.
    bool are_lists_public = false;
    bool are_resources_public = false;
    /// What a handler remembers between its runs is signed with these; see `state_keys`.
    mcp::state_keys state_keys = mcp::state_keys::random();
    /// How long a client may take for the answers of one round, and how much a handler may remember.
    std::chrono::milliseconds state_lifetime = std::chrono::minutes(10);
    std::size_t max_state_bytes = std::size_t(64) << 10;
    /// How many resources a session may subscribe to, and how many `subscriptions/listen` it may have open: some clients
    /// have one for each resource.
    std::size_t max_subscriptions = 1024;
    std::size_t max_listeners = 1024;
    /// How many bytes the URIs of all of these may have together.
    std::size_t max_subscription_bytes = std::size_t(1) << 20;
};

} // namespace partyline::mcp
