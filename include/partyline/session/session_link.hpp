#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace partyline {

class access_view;
class dispatcher;
class memory_budget;
struct peer_identity;

/// A session, as seen by a function that runs on its executor. Valid during that call alone.
class PARTYLINE_EXPORT live_session : public caller {
public:
    /// As `session::use_methods`.
    virtual void use_methods(std::shared_ptr<const dispatcher> methods) = 0;
    /// As `session::use_access`.
    virtual void use_access(std::shared_ptr<const access_view> view) = 0;
    /// The present rights of the session's peer; null: everything may be called.
    virtual std::shared_ptr<const access_view> access() const = 0;
    /// As `session::close`. `session_options::on_end` may be called within: hold no lock that it takes.
    virtual void close() = 0;

    /// Whether the peer keeps up: no more than `limits::outbox_soft_bytes` are unsent, and `session_options::budget` is
    /// not used up. To be checked before messages are sent that the peer has not asked for; otherwise they are kept in
    /// memory.
    virtual bool has_room() const noexcept = 0;

    /// The object that `session_options::user_data` holds; null when it holds no `T`.
    template <class T>
    T* user_data() noexcept
    {
        return std::any_cast<T>(&session_user_data());
    }

protected:
    ~live_session() = default;

    /// The values for `user_data`.
    virtual std::any& session_user_data() noexcept = 0;
};

/// A handle to a session, to be used from anywhere: `session_options::on_start` receives it, `request_context::link`
/// returns it, and a profile's lifecycle has it from `lifecycle::on_attached`. A link does not keep the session alive,
/// and may be used when that has ended.
///
///     link->notify("news", named("text", "hello"));
///     link->post([](partyline::live_session& session) { session.close(); });
///
/// `on_start`, `on_end` and all handlers of a session have the same pointer, which may be the key of a map.
///
/// Thread safety: safe.
class PARTYLINE_EXPORT session_link {
public:
    virtual ~session_link() = default;

    /// Runs `function` on the session's executor, soon, or never where the session ends before. An exception from it
    /// ends the session. Returns false where the session has ended. Throws `std::bad_alloc`.
    virtual bool post(std::function<void(live_session&)> function) = 0;
    /// Sends the peer a notification, as a function that is posted would. The notification is kept in memory until the
    /// peer has read earlier messages, as far as `limits::call_bytes` let, and dropped beyond that: for many
    /// notifications there is `session_group`. Returns false where the session has ended. Throws `std::bad_alloc`.
    bool notify(std::string method, call_params params = nullptr);
    /// Whether the session has not ended yet.
    virtual bool is_open() const noexcept = 0;
    /// `session_options::peer`, also when the session has ended. Null: nothing is known of the peer.
    virtual const std::shared_ptr<const peer_identity>& peer() const noexcept = 0;

    /// Writes to the session's log, while the session lives: see `session_options::log`.
    virtual void log(std::string_view line) const noexcept = 0;
    /// `session_options::expose_errors`.
    virtual bool exposes_errors() const noexcept = 0;
    /// The present rights of the session's peer. Null: everything may be called, or the session has ended.
    virtual std::shared_ptr<const access_view> access() const = 0;
    /// `session_options::budget`: data of the peer that the profile keeps counts, too. Null where there is none.
    virtual const std::shared_ptr<memory_budget>& budget() const noexcept = 0;

protected:
    session_link() = default;
};

} // namespace partyline
