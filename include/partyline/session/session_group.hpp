#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/session_link.hpp>
#include <partyline/session/task.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace partyline {

class request_context;

/// What is done about a session of a group whose peer does not keep up with reading: see `live_session::has_room`.
enum class when_behind : std::uint8_t {
    /// What is broadcast meanwhile is not sent to it; its requests are served as ever.
    skip,
    /// It is closed as by `session::close`, so that its peer notices, and may come again. A request that is told by
    /// `session_group::stream_to` ends with `error_codes::server_busy`.
    close,
};

/// How a group tells its sessions.
struct session_group_options {
    /// What is done about a session whose peer does not read.
    when_behind behind = when_behind::skip;
    /// How many bytes of notifications may be on their way to a session whose executor is busy, or to a request whose
    /// client does not read; those beyond that are not sent there.
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

    /// Tells the client of a request, by notifications of that request, for as long as it lasts: until it is cancelled
    /// or its client has gone. So one that listens by a POST is told in the stream of its answer, where sessions have
    /// none. The method is `open_ended`, else a session would wait for it at the end of input:
    ///
    ///     methods.add("listen", [everybody](partyline::request_context& context) {
    ///         return everybody->stream_to(context);
    ///     }, {.open_ended = true});
    ///
    /// Completes with   void, never
    /// Fails with       operation_aborted, when the request is cancelled; rpc_error with `error_codes::server_busy`: see
    ///                  `when_behind::close`
    /// Cancellation     that of the request
    /// Lifetime         the context and the group are there until it has ended
    /// Threads          from where the handler runs
    task<void> stream_to(request_context& context);

    /// Sends all members a notification, in the order of these calls, and waits for none of them. Returns how many it
    /// is on its way to; those that miss it are among them.
    ///
    /// The params are written once. Takes time in proportion to the number of members, during which none can be added
    /// or removed. Throws `std::invalid_argument` for params that are neither array, object nor null, or have no JSON
    /// text; `std::bad_alloc`: some are told and others not.
    std::size_t broadcast(std::string method, const call_params& params = {});

    /// The sessions that have not ended.
    std::vector<std::shared_ptr<session_link>> sessions() const;
    /// How many members there are: these, and the requests of `stream_to`.
    std::size_t size() const;
    /// How many notifications members have missed so far, each counted for each member.
    std::uint64_t missed() const noexcept;

    // For the library's own.

    class member;
    struct counters;

private:
    class request_place;

    void insert(const void* key, std::shared_ptr<member> added);
    bool erase(const void* key) noexcept;
    void forget_ended() noexcept;

    const session_group_options options_;
    const std::shared_ptr<counters> counters_;
    mutable std::mutex mutex_;
    std::map<const void*, std::shared_ptr<member>> members_; // by link or, of a request, by itself
    std::size_t forget_at_ = 0; // with so many members those that have ended are looked for
};

} // namespace partyline
