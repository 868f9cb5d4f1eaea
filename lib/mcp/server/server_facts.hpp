#pragma once

#include "mcp/state/cursor.hpp"
#include "mcp/state/request_state.hpp"

#include <partyline/mcp/description.hpp>
#include <partyline/mcp/revision.hpp>
#include <partyline/mcp/server/server_options.hpp>

#include <boost/json/object.hpp>

#include <string>

namespace partyline::mcp {

/// What does not change of a server: who it is, and how it goes about things.
struct server_facts {
    server_facts(std::string name, std::string version, server_options how);

    /// Who it is, as a revision has it.
    boost::json::object info_of(revision r) const;

    const server_options options;
    const implementation info;
    const state_sealer states;
    const list_cursors cursors;
    /// The member of results that says who it is (2026-07-28): `"io.modelcontextprotocol/serverInfo":{...}`.
    const std::string info_member;
};

} // namespace partyline::mcp
