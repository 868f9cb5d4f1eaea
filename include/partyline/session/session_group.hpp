#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_params.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace partyline {

class session_link;

/// What is done about a session of a group whose peer does not keep up with reading: see `live_session::has_room`.
enum class when_behind : std::uint8_t {
    skip,  ///< what is broadcast meanwhile is not sent to it; its requests are served as ever
    close, ///< it is closed as by `session::close`, so that its peer notices, and may come again
};

/// How a group tells its sessions.
struct session_group_options {
    /// What is done about a session whose peer does not read.
    when_behind behind = when_behind::skip;
    /// How many bytes of notifications may be on their way to a session whose executor is busy; those beyond that are
    /// not sent to it.
    std::size_t queue_bytes = std::size_t(1) << 20;
};

/// Sessions that are told the same: everybody who is connected, or those who want to hear of something.
///
///     const auto everybody = std::make_shared<partyline::session_group>();
///     partyline::server_options options;
///     options.session.on_start = [everybody](const std::shared_ptr<partyline::session_link>& its) {
///         everybody->add(its);
///     };
///     partyline::server server(executor, std::move(methods), std::move(options));
///     everybody->broadcast("news", named("text", "hello"));
///
/// A session may be in any number of groups, and leaves them by its end. Slow peers hold up nobody: for each session no
/// more is kept than `session_group_options::queue_bytes` and, of what its peer has not read,
/// `limits::outbox_soft_bytes`, each exceeded by one notification at most. What a session misses is counted.
///
/// Lifetime: what is on its way is sent also when the group has been destroyed.
/// Thread safety: all of it may be used from any thread.
class PARTYLINE_EXPORT session_group {
public:
    /// A group without sessions.
    explicit session_group(session_group_options options = {});
    session_group(const session_group&) = delete;
    session_group& operator=(const session_group&) = delete;
    ~session_group();

    /// From now on this session is told. One that is in the group already stays as it is. Throws
    /// `std::invalid_argument` for a null pointer, `std::bad_alloc`.
    void add(std::shared_ptr<session_link> its);
    /// It is told no more, also of what is on its way. False: it was not in the group.
    bool remove(const std::shared_ptr<session_link>& its) noexcept;

    /// Sends all sessions a notification, in the order of these calls, and waits for none of them. Returns how many
    /// sessions it is on its way to; those that miss it are among them.
    ///
    /// The params are written once. Takes time in proportion to the number of sessions, during which none can be added
    /// or removed. Throws `std::invalid_argument` for params that are neither array, object nor null, or have no JSON
    /// text; `std::bad_alloc`: some sessions are told and others not.
    std::size_t broadcast(std::string method, const call_params& params = {});

    /// Those that have not ended.
    std::vector<std::shared_ptr<session_link>> sessions() const;
    /// How many these are.
    std::size_t size() const;
    /// How many notifications sessions have missed so far, each counted for each session.
    std::uint64_t missed() const noexcept;

private:
    class member;
    struct counters;

    void forget_ended() noexcept;

    const session_group_options options_;
    const std::shared_ptr<counters> counters_;
    mutable std::mutex mutex_;
    std::map<const session_link*, std::shared_ptr<member>> members_;
    std::size_t forget_at_ = 0; // with so many members those that have ended are looked for
};

} // namespace partyline
