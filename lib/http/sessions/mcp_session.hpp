#pragma once

#include "async/keep_running.hpp"
#include "http/serve/endpoint.hpp"
#include "http/serve/origin_queue.hpp"
#include "http/serve/post_exchange.hpp"
#include "http/sessions/session_stream.hpp"
#include "http/sessions/store_calls.hpp"
#include "http/wire/event_bracket.hpp"
#include "session/conversation.hpp"

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace partyline::http {

class idle_sessions;
class http_service;

/// One GET that goes on with a stream by what the event store has. While it is linked, it ends with the session, and
/// when another GET for the stream comes.
class resumption : public boost::intrusive::list_base_hook<
                       boost::intrusive::link_mode<boost::intrusive::link_mode_type::auto_unlink>> {
public:
    explicit resumption(std::uint64_t of) noexcept : stream_(of) {}

    std::uint64_t stream() const noexcept { return stream_; }
    /// It ends, before its stream does.
    virtual void end() = 0;

protected:
    ~resumption() = default;

private:
    const std::uint64_t stream_;
};

/// One session of an MCP client that has begun with `initialize`: one conversation, whose messages come by POST over
/// any connection, and go out in answer to those, or by the stream that the client has opened with GET.
///
/// Ownership: the table of sessions, and exchanges under way; the context's, from its end until its handlers
/// have ended.
class mcp_session final : private conversation::host,
                          private session_stream::owner,
                          private post_exchange::keeper,
                          public boost::intrusive::list_base_hook<>,
                          public origin_queue::member,
                          public std::enable_shared_from_this<mcp_session> {
public:
    using clock = std::chrono::steady_clock;

    /// What a session takes of memory whose `initialize` has so many bytes: what that says of the client is kept, and
    /// counted in the budget by whoever keeps it.
    static constexpr std::size_t bytes_of(std::size_t greeting) noexcept { return greeting + own_bytes; }

    /// `bytes`: what it takes of memory; `begun_by`: the request that begins it; `store`: null, or by what its events
    /// are appended to the event store, which knows it as `store_name`.
    mcp_session(std::shared_ptr<http_service> of, std::string id, std::size_t bytes, const request& begun_by,
                std::shared_ptr<const dispatcher> methods, session_options options,
                std::shared_ptr<store_calls> store = nullptr, std::string store_name = {});
    ~mcp_session();

    const std::string& id() const noexcept { return id_; }

    /// Has a message served; `begins`: it is the request that begins the session.
    endpoint::answer post(request&& asked, reply_sink& line, bool begins);
    /// Opens the stream of what belongs to no POST, or goes on with the one that the client has lost.
    endpoint::answer get(const request& asked, reply_sink& line);
    /// It is over: whatever runs is cancelled.
    void end() noexcept;
    bool has_ended() const noexcept { return has_ended_; }

    // Its owner is the principal that has begun it, whatever credentials that shows later.

    /// Whether a request with this grant is its owner's. Null: nobody was asked.
    bool is_owned_by(const access_grant* grant) const noexcept;
    /// From now on its owner has the rights of this grant.
    void use_grant(const std::shared_ptr<const access_grant>& grant) noexcept;
    enum class renewal : std::uint8_t { same, changed, revoked };
    /// Looks at the grant that its owner came with last. One that has expired changes nothing: the owner may come with
    /// another, and nobody else can use the session.
    renewal renew_grant(access_control& access, std::chrono::system_clock::time_point now) noexcept;

    std::size_t bytes() const noexcept { return bytes_; }
    /// Where it comes from: the principal that owns it, and the network of the client that began it where nobody has
    /// said who that is.
    const std::string& origin() const noexcept { return origin_; }

    // When it may be given up.

    /// From now on it stands there while nobody waits for anything nor reads a stream, and when it has ended. That
    /// lives longer, or `leave_idle()` comes before its end.
    void enter_idle(idle_sessions& idle) noexcept;
    void leave_idle() noexcept;
    clock::time_point last_use() const noexcept { return last_use_; }

    // For streams and their readers.

    /// What is said in a stream from now on; then its reader is to look.
    void collect(session_stream& of);
    /// One more reader, or one less.
    void note_reader_begun() noexcept;
    void note_reader_gone() noexcept;
    /// An event that tells a client how to come back, behind the event that it has had last; empty for one that does
    /// not know such.
    std::string priming_event(const event_id& last) const;
    /// The stream with this number; null where it is not kept.
    std::shared_ptr<session_stream> find(std::uint64_t number) const noexcept;
    /// Under which name the event store has one of its streams.
    event_stream_key key_of(std::uint64_t stream) const { return {store_name_, stream}; }
    const std::string& store_name() const noexcept { return store_name_; }
    /// Whether events of it are being appended to the event store.
    bool is_recording(std::uint64_t stream) const;

    http_service& core() noexcept { return *core_; }

private:
    /// Not answered yet, as far as somebody can still hear that.
    struct open_post {
        std::shared_ptr<post_exchange> exchange;
        std::shared_ptr<session_stream> stream; // null as long as the answer may be one JSON text

        void collect() const;
        void close() const noexcept;
    };
    using post_map = std::map<post_exchange*, open_post>;
    using stream_map = std::map<std::uint64_t, std::shared_ptr<session_stream>>;
    static constexpr std::size_t own_bytes = std::size_t(8) << 10;
    static constexpr std::size_t bytes_of_post = std::size_t(2) << 10; // besides its message

    bool is_idle() const noexcept { return posts_.empty() && readers_ == 0; }
    void note_use() noexcept;
    void count() noexcept;
    void place() noexcept;
    bool has_room_for_post() const noexcept;
    bool may_be_stored(const event_id& last) const noexcept;
    endpoint::answer get_stored(const event_id& last, const request& asked, reply_sink& line);
    void end_resumed(std::uint64_t stream) noexcept;
    void stop_recording() noexcept;
    std::shared_ptr<session_stream> next_to_forget() const noexcept;
    std::string id_field() const { return "Mcp-Session-Id: " + id_ + "\r\n"; }
    void note_greeting(std::string_view reply);
    void close_post(post_map::iterator done) noexcept;

    // session_stream::owner
    session_stream::owner& as_owner() noexcept { return *this; }
    void on_kept(session_stream& one, bool is_kept) noexcept override;
    void forget(session_stream& one) noexcept override;
    void on_recorded(session_stream& one) noexcept override;

    // post_exchange::keeper
    response answer_ended() const override;
    void on_first_reply(post_exchange& to) override;
    std::unique_ptr<exchange> open_stream(post_exchange& by, reply_sink& line) override;
    void on_said(post_exchange& by) override;
    void on_answered(post_exchange& by) override;

    // conversation::host
    void flush() override;
    void resume_reading() override {}
    void on_end(error_code result) noexcept override;

    const std::shared_ptr<http_service> core_;
    const std::string id_;
    const std::size_t bytes_;
    const std::string origin_;
    std::shared_ptr<const access_grant> grant_; // that its owner came with last; null: nobody was asked
    budget_share share_;                        // for those of them that are its own, and for POSTs under way
    std::shared_ptr<conversation> conversation_;
    const std::shared_ptr<store_calls> store_; // null: there is no event store
    const std::string store_name_;             // its own there
    std::shared_ptr<session_stream> own_;      // of what belongs to no POST
    stream_map streams_;                       // of posts, by number
    stream_map kept_;                          // those of them that nobody writes or reads
    std::size_t kept_bytes_ = 0;
    boost::intrusive::list<resumption, boost::intrusive::constant_time_size<false>> resumed_; // at most one of a stream
    post_map posts_;
    std::uint64_t last_stream_ = 0;
    std::size_t readers_ = 0;
    idle_sessions* idle_ = nullptr; // where it stands while it is idle; null: nowhere
    clock::time_point last_use_;
    std::string revision_;
    keep_running life_; // keeps it after its end, until its handlers have ended
    bool has_ended_ = false;
};

/// The answer where there is no such session, or not any more.
response session_not_found();
/// The answer to a client that resumes a stream at an event which nobody keeps.
response no_such_event();

} // namespace partyline::http
