#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/session/task.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace partyline::mcp {

class client_core;

// What a client lists, on the session's executor; see client.hpp.

template <listed T>
PARTYLINE_EXPORT task<page<T>> list(std::shared_ptr<client_core> of, std::optional<std::string> cursor);
template <listed T>
PARTYLINE_EXPORT task<std::vector<T>> list_all(std::shared_ptr<client_core> of);

} // namespace partyline::mcp
