#pragma once

#include "http/serve/exchange.hpp"
#include "http/serve/kept_state.hpp"
#include "http/serve/request.hpp"
#include "http/serve/upgrade.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

namespace partyline::http {

/// What serves the requests for one path.
class endpoint {
public:
    virtual ~endpoint() = default;

    /// The methods that are answered, as `Allow` tells them.
    virtual std::string_view allowed_methods() const noexcept = 0;
    /// Whether the method is one of them; said before anything else is looked at.
    virtual bool allows(std::string_view method) const noexcept = 0;
    /// Looks at a head whose body is still to come.
    virtual std::optional<response> refuse_head(const request_head& head)
    {
        static_cast<void>(head);
        return std::nullopt;
    }

    using answer = std::variant<response, std::shared_ptr<exchange>, upgrade>;
    /// Answers a request that came over a connection. What it throws is answered 503.
    virtual answer serve(request&& asked, kept_state& of, reply_sink& line) = 0;

    // Of one that has sessions.

    virtual bool has_sessions() const noexcept { return false; }
    /// Whether ticks bound the time of something else.
    virtual bool needs_ticks() const noexcept { return false; }
    /// Whether a request may belong to a session by the id that it names.
    virtual bool finds_sessions() const noexcept { return false; }
    virtual void on_tick(std::chrono::steady_clock::time_point now) { static_cast<void>(now); }
    /// The server is at its end.
    virtual void end() noexcept {}
};

} // namespace partyline::http
