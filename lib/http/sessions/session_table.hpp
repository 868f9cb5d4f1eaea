#pragma once

#include "http/sessions/idle_sessions.hpp"
#include "http/sessions/mcp_session.hpp"

#include <partyline/http/server_options.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::http {

/// The sessions of one endpoint, by their ids.
class session_table {
public:
    using clock = std::chrono::steady_clock;

    /// `bytes`: how many all sessions may have together.
    session_table(const mcp_session_limits& most, std::size_t bytes) noexcept : most_(most), most_bytes_(bytes) {}

    /// An id that nobody can guess: 128 random bits, behind the node's name and a dot where it has one. Throws
    /// `std::system_error` where the system has none.
    static std::string make_id(std::string_view node);
    /// The first 16 hexadecimal digits of its SHA-256, which tell nobody the id; empty where the system's cryptography
    /// refuses to work.
    static std::string digest_of(std::string_view id);
    /// All 64 digits of it, by which an event store knows the session. Throws `std::runtime_error` where there are
    /// none.
    static std::string name_in_store(std::string_view id);

    std::shared_ptr<mcp_session> find(std::string_view id) const noexcept;
    /// Makes room for one more, of so many bytes: those end that have been idle for longest, of the origins that have
    /// most idle ones. False where there is none.
    bool make_room(std::size_t bytes) noexcept;
    void add(std::shared_ptr<mcp_session> one);
    void end(const std::shared_ptr<mcp_session>& one) noexcept;
    /// Ends those that have been idle for too long, and forgets those that have ended.
    void on_tick(clock::time_point now);
    /// Looks at the grants of all; those end whose owner's was taken away.
    void renew_grants(access_control& access, std::chrono::system_clock::time_point now) noexcept;
    void end_all() noexcept;
    std::size_t size() const noexcept { return sessions_.size(); }

private:
    static std::string digest_of(std::string_view id, std::size_t bytes);

    mcp_session_limits most_;
    const std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    idle_sessions idle_;
    std::map<std::string, std::shared_ptr<mcp_session>, std::less<>> sessions_;
};

} // namespace partyline::http
