#pragma once

#include "http/mcp/mcp_message.hpp"
#include "http/serve/endpoint.hpp"
#include "http/sessions/mcp_fields.hpp"
#include "http/sessions/session_table.hpp"
#include "http/sessions/store_calls.hpp"

#include <partyline/http/forwarding_makers.hpp>
#include <partyline/protocol/message.hpp>

#include <memory>
#include <string_view>

namespace partyline::http {

class http_service;

/// MCP's Streamable HTTP, for clients of both eras: what begins with `initialize` (2025-03-26 to 2025-11-25) has a
/// session; a request that says of which revision it is (2026-07-28) has a connection, and no more. Who asks without
/// either gets what that era has for such.
class mcp_endpoint final : public endpoint {
public:
    /// Whose answers they are: where they are another server's, nobody here knows what that has looked at.
    enum class answers : std::uint8_t { own, forwarded };

    mcp_endpoint(const std::shared_ptr<http_service>& of, forwarding_makers make, answers whose);
    ~mcp_endpoint() override;
    mcp_endpoint(const mcp_endpoint&) = delete;
    mcp_endpoint& operator=(const mcp_endpoint&) = delete;

    std::string_view allowed_methods() const noexcept override { return "GET, POST, DELETE, OPTIONS"; }
    bool allows(std::string_view method) const noexcept override;
    std::optional<response> refuse_head(const request_head& head) override;
    answer serve(request&& asked, kept_state& of, reply_sink& line) override;

    bool has_sessions() const noexcept override { return sessions_.size() != 0; }
    bool needs_ticks() const noexcept override { return store_ && store_->needs_ticks(); }
    bool finds_sessions() const noexcept override { return true; }
    void on_tick(std::chrono::steady_clock::time_point now) override;
    void end() noexcept override;

private:
    std::shared_ptr<mcp_session> session_of(const request& asked) const noexcept;
    answer serve_post(request&& asked, kept_state& of, reply_sink& line);
    answer serve_modern(const mcp_message& m, request&& asked, kept_state& of, reply_sink& line);
    answer serve_get(const request& asked, reply_sink& line);
    answer serve_delete(const request& asked);
    std::optional<field_mismatch> find_wrong_field(const mcp_message& m, const request& asked);
    answer begin_session(request&& asked, reply_sink& line);

    std::weak_ptr<http_service> core_; // which owns this
    forwarding_makers make_;
    answers whose_;
    message_reader reader_;
    const std::shared_ptr<store_calls> store_; // null: there is no event store
    session_table sessions_;
};

} // namespace partyline::http
