#pragma once

#include <partyline/rpc/method_table.hpp>
#include <partyline/session/handler.hpp>
#include <partyline/session/task.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gateway {

/// Passes a request or notification on.
using forwarder =
    std::function<partyline::task<partyline::json_text>(partyline::request_context& context, partyline::json_text)>;

/// Adds subscriptions of MCP (2026-07-28), which stay open.
void add_listen(partyline::method_table& to, const forwarder& pass_on);
/// Adds the handshake of MCP up to 2025-11-25 with a server that is the client's own: later requests need its result.
void add_handshake(partyline::method_table& to, const forwarder& pass_on);

/// The methods of a relay. Where a client has an access view, the requests that name a tool, a prompt or a resource are
/// judged by that; those that are hidden are answered here.
class relay_methods final : public partyline::dispatcher {
public:
    /// `table` has a fallback, which forwards what comes.
    explicit relay_methods(partyline::method_table table);

    // dispatcher
    const partyline::method* find(std::string_view name) const noexcept override;
    const partyline::method& select(const partyline::method& group, const partyline::message& m,
                                    partyline::message_reader& reader) const noexcept override;
    std::string key(const partyline::method& group, const partyline::message& m,
                    partyline::message_reader& reader) const override;

private:
    const partyline::method_table table_;
    const partyline::method* forwarding_;
    std::vector<partyline::method> groups_; // they answer for what is not there
};

} // namespace gateway
