#pragma once

#include "http/serve/endpoint.hpp"
#include "http/sessions/session_stream.hpp"
#include "http/wire/event_bracket.hpp"
#include "session/conversation.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

class server_core;
class session_post;

/// One session of an MCP client that has begun with `initialize`: one conversation, whose messages come by POST over any
/// connection, and go out in answer to those, or by the stream that the client has opened with GET.
///
/// Ownership: the book of sessions, and exchanges under way; its own, from its end until its handlers have ended.
class mcp_session final : private conversation::host, public std::enable_shared_from_this<mcp_session> {
public:
    using clock = std::chrono::steady_clock;

    mcp_session(std::shared_ptr<server_core> of, std::string id, std::shared_ptr<const dispatcher> methods,
                session_options options);
    ~mcp_session();

    const std::string& id() const noexcept { return id_; }

    /// Has a message served; `begins`: it is the request that begins the session.
    endpoint::answer post(request&& asked, reply_line& line, bool begins);
    /// Opens the stream of what belongs to no POST, or goes on with the one that the client has lost.
    endpoint::answer get(const request& asked, reply_line& line);
    /// It is over: whatever runs is cancelled.
    void end() noexcept;
    bool has_ended() const noexcept { return has_ended_; }

    // When it may be given up.

    /// Nobody waits for anything, nor reads a stream.
    bool is_idle() const noexcept { return posts_.empty() && !has_readers(); }
    clock::time_point last_use() const noexcept { return last_use_; }
    void note_use() noexcept;
    void on_tick(clock::time_point now);

    // For streams and their readers.

    /// What is said in a stream from now on; then its reader is to look.
    void collect(session_stream& of);
    /// An event that tells a client how to come back; empty for one that does not know such.
    std::string priming_event(const session_stream& of) const;

    // For the posts under way: see session_post.

    conversation& served() noexcept { return *conversation_; }
    server_core& core() noexcept { return *core_; }
    std::shared_ptr<session_stream> open_stream(session_post& by);
    /// The reply to what has begun it.
    void note_greeting(std::string_view reply);
    /// It has been answered, as far as somebody can still hear that.
    void close_post(session_post& done) noexcept;

private:
    bool has_readers() const noexcept;
    std::shared_ptr<session_stream> find(std::uint64_t number) const noexcept;
    void forget_streams(clock::time_point now) noexcept;

    // conversation::host
    void flush() override;
    void resume_reading() override {}
    void on_end(error_code result) noexcept override;

    const std::shared_ptr<server_core> core_;
    const std::string id_;
    std::shared_ptr<conversation> conversation_;
    std::shared_ptr<session_stream> own_;                              // of what belongs to no POST
    std::map<std::uint64_t, std::shared_ptr<session_stream>> streams_; // of posts, by number
    std::map<session_post*, std::shared_ptr<session_post>> posts_;     // not answered yet
    std::uint64_t last_stream_ = 0;
    clock::time_point last_use_;
    std::string revision_;
    std::shared_ptr<mcp_session> self_; // after the end
    bool has_ended_ = false;
};

} // namespace partyline::http
