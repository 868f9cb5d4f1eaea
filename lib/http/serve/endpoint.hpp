#pragma once

#include "http/serve/exchange.hpp"
#include "http/serve/request.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace partyline::http {

class connection_services;

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

    using answer = std::variant<response, std::shared_ptr<exchange>>;
    /// Answers a request that came over a connection. What it throws is answered 503.
    virtual answer serve(request&& asked, connection_services& of, reply_line& line) = 0;

    // Of one that has sessions.

    virtual bool has_sessions() const noexcept { return false; }
    virtual void on_tick(std::chrono::steady_clock::time_point now) { static_cast<void>(now); }
    /// The server is at its end.
    virtual void end() noexcept {}
};

/// What an endpoint keeps for a connection, while that is in use.
class connection_state {
public:
    virtual ~connection_state() = default;
    /// The connection has ended, or has been idle for a moment.
    virtual void let_go() noexcept = 0;
};

/// What a connection has for its endpoints: the state of the one that was used last.
class connection_services {
public:
    ~connection_services() { drop(); }

    /// Null where nothing is kept for this one.
    std::shared_ptr<connection_state> find(const endpoint& of) const noexcept
    {
        return owner_ == &of ? state_ : nullptr;
    }
    void keep(const endpoint& of, std::shared_ptr<connection_state> state) noexcept
    {
        drop();
        state_ = std::move(state);
        owner_ = &of;
    }
    void drop() noexcept
    {
        if (const std::shared_ptr<connection_state> gone = std::move(state_))
            gone->let_go();
        owner_ = nullptr;
    }

private:
    const endpoint* owner_ = nullptr;
    std::shared_ptr<connection_state> state_;
};

} // namespace partyline::http
