#pragma once

#include "http/serve/http_service.hpp"
#include "server/connection_service.hpp"
#include "server/server_threads.hpp"

#include <partyline/http/server_options.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace partyline::http {

/// The services of a server, one for each of its threads, which share nothing that a request writes to. What bounds the
/// whole server is divided among them.
///
/// Thread safety: as `http_service`, on the accept loop's strand; `at()` and `sessions()` from any thread.
class service_shards final : public connection_service, public std::enable_shared_from_this<service_shards> {
public:
    /// `strand`: the accept loop's, and the first service's executor.
    service_shards(const server_threads& threads, boost::asio::any_io_executor strand, const server_options& options);
    /// That of one thread alone, for what is added there.
    explicit service_shards(std::shared_ptr<http_service> of_thread) : shards_{std::move(of_thread)} {}

    std::size_t size() const noexcept { return shards_.size(); }
    const std::shared_ptr<http_service>& at(std::size_t number) const { return shards_.at(number); }
    const std::shared_ptr<http_service>& front() const noexcept { return shards_.front(); }
    /// Calls `change` with each service, before they are used.
    template <class Change>
    void each(const Change& change) const
    {
        for (const std::shared_ptr<http_service>& one : shards_)
            change(one);
    }

    std::size_t sessions() const noexcept;

    // connection_service: of a server with several threads
    bool is_by_proxy(const listener::connection& one) const override { return front()->is_by_proxy(one); }
    std::unique_ptr<served_connection> serve(listener::connection accepted, connection_hooks hooks) override;
    void begin_lame_duck() noexcept override;
    void begin_drain() noexcept override;
    bool answers_the_last() const noexcept override { return front()->answers_the_last(); }
    void note_end(served_connection&, const error_code&) override {}
    void on_over() noexcept override;

private:
    void tell_each(void (*what)(http_service&)) noexcept;

    std::vector<std::shared_ptr<http_service>> shards_; // at least one
};

} // namespace partyline::http
