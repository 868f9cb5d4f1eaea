#pragma once

#include "http/sessions/mcp_session.hpp"

#include <partyline/http/server_options.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::http {

/// The sessions of one endpoint, by their ids.
class session_book {
public:
    using clock = std::chrono::steady_clock;

    explicit session_book(const mcp_session_limits& most) noexcept : most_(most) {}

    /// An id that nobody can guess: 128 random bits. Throws `std::system_error` where the system has none.
    static std::string make_id();

    std::shared_ptr<mcp_session> find(std::string_view id) const noexcept;
    /// Makes room for one more: the one ends that has been idle for longest. False where none is.
    bool make_room() noexcept;
    void add(std::shared_ptr<mcp_session> one);
    void end(const std::shared_ptr<mcp_session>& one) noexcept;
    /// Ends those that have been idle for too long, and forgets those that have ended.
    void on_tick(clock::time_point now);
    void end_all() noexcept;
    std::size_t size() const noexcept { return sessions_.size(); }

private:
    mcp_session_limits most_;
    std::map<std::string, std::shared_ptr<mcp_session>, std::less<>> sessions_;
};

} // namespace partyline::http
