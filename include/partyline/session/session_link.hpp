#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <any>
#include <functional>
#include <memory>
#include <string_view>

namespace partyline {

class access_view;
class dispatcher;
class memory_budget;
struct peer_identity;

/// A session while something is done with it on its executor. Valid during the call of the function that is given it.
class PARTYLINE_EXPORT live_session : public caller {
public:
    /// As `session::use_methods`.
    virtual void use_methods(std::shared_ptr<const dispatcher> methods) = 0;
    /// As `session::use_access`.
    virtual void use_access(std::shared_ptr<const access_view> view) = 0;
    /// What its peer may call now; null: everything.
    virtual std::shared_ptr<const access_view> access() const = 0;
    /// As `session::close`.
    virtual void close() = 0;

    /// Whether its peer keeps up with reading: no more than `limits::outbox_soft_bytes` wait for it. Whoever has more
    /// to say than the peer has asked for looks here first, since what is sent all the same is kept in memory.
    virtual bool has_room() const noexcept = 0;

    /// The object that `session_options::user_data` holds; null when it holds no `T`.
    template <class T>
    T* user_data() noexcept
    {
        return std::any_cast<T>(&session_user_data());
    }

protected:
    ~live_session() = default;

    /// What `user_data` looks into.
    virtual std::any& session_user_data() noexcept = 0;
};

/// The way to a session from anywhere: `session_options::on_start` is told it, a handler has it from
/// `request_context::link`, and a profile's lifecycle from `lifecycle::on_attached`. It does not keep the session, and
/// may be used when that has ended.
///
///     link->post([](partyline::live_session& session) {
///         session.notify("news", named("text", "hello"))(boost::asio::detached);
///     });
///
/// Thread safety: safe.
class PARTYLINE_EXPORT session_link {
public:
    virtual ~session_link() = default;

    /// Has `function` called on the session's executor, soon, or never where the session ends before. What it throws
    /// ends the session. False: the session has ended. Throws `std::bad_alloc`.
    virtual bool post(std::function<void(live_session&)> function) = 0;
    /// Whether the session has not ended yet.
    virtual bool is_open() const noexcept = 0;
    /// `session_options::peer`, also when the session has ended. Null: nothing is known of the peer.
    virtual const std::shared_ptr<const peer_identity>& peer() const noexcept = 0;

    /// Tells the session's log, while it lives: see `session_options::log`.
    virtual void log(std::string_view line) const noexcept = 0;
    /// `session_options::expose_errors`.
    virtual bool exposes_errors() const noexcept = 0;
    /// What the session's peer may call now. Null: everything, or the session has ended.
    virtual std::shared_ptr<const access_view> access() const = 0;
    /// `session_options::budget`: what the profile keeps of what the peer has sent counts, too. Null where there is
    /// none.
    virtual const std::shared_ptr<memory_budget>& budget() const noexcept = 0;

protected:
    session_link() = default;
};

} // namespace partyline
