#pragma once

#include "mcp/state/signed_state.hpp"

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/server/server_options.hpp>

#include <boost/json/object.hpp>

#include <string>

namespace partyline::mcp {

/// What does not change of a server, but for the keys of its state: who it is, and how it goes about things.
struct server_facts {
    server_facts(std::string name, std::string version, server_options how);

    /// Who it is, as a revision has it.
    boost::json::object info_of(revision r) const;

    const server_options options;
    const implementation info;
    signed_state state;
    /// The member of results that says who it is (2026-07-28): `"io.modelcontextprotocol/serverInfo":{...}`.
    const std::string info_member;
};

} // namespace partyline::mcp
