#pragma once

#include "http/serve/moved_connection.hpp"
#include "http/serve/service_shards.hpp"
#include "server/connection_service.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>

namespace partyline::http {

/// A connection of a server with several threads, on one of them at a time.
///
/// Flow: `begin()`; from then on whatever it is told is done on its thread. It may move to another one, and what it is
/// told meanwhile goes after it.
/// Thread safety: `begin()` and what it is told are for the accept loop's strand, the rest for the connection's thread.
class shard_connection : public std::enable_shared_from_this<shard_connection> {
public:
    shard_connection(std::weak_ptr<service_shards> all, std::size_t shard) noexcept : all_(std::move(all)), at_(shard)
    {
    }

    /// `hooks.on_end` is called on `strand`. Throws where there is no memory.
    void begin(listener::connection accepted, connection_hooks hooks, const boost::asio::any_io_executor& strand);
    void close_in_order();
    void stop_at_once();
    /// The accept loop has let go of it.
    void drop() noexcept;

private:
    using step = void (shard_connection::*)();

    std::shared_ptr<http_service> shard() const noexcept;
    connection_mover mover();
    void have_done(step what);
    void close_here();
    void stop_here();
    void drop_here() { one_.reset(); }
    template <class Make>
    void enter(http_service& on, const std::function<void(error_code)>& on_end, const Make& make) noexcept;
    void move(std::size_t to, moved_connection what);

    const std::weak_ptr<service_shards> all_;
    std::atomic<std::size_t> at_;            // its thread
    std::unique_ptr<served_connection> one_; // null: it moves, or there is none
    bool must_stop_ = false;                 // it was told to while it moved
};

} // namespace partyline::http
