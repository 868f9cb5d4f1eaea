#include "http/serve/service_shards.hpp"

#include "http/serve/shard_connection.hpp"
#include "http/serve/thread_place.hpp"
#include "session/persistent_post.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// The shares add up to the whole, but each thread has at least so much.
std::size_t share_of(std::size_t whole, std::size_t number, std::size_t count, std::size_t least = 1) noexcept
{
    if (whole == 0)
        return 0; // no bound, or an error that the service finds
    return std::max(whole / count + (number < whole % count ? 1 : 0), least);
}

server_options part_of(server_options whole, std::size_t number, std::size_t count)
{
    if (count == 1)
        return whole;
    if (const std::shared_ptr<memory_budget> given = whole.session.budget)
        whole.session.budget =
            std::make_shared<memory_budget>(share_of(given->limit(), number, count, memory_budget::always), given);
    whole.memory_bytes = share_of(whole.memory_bytes, number, count, memory_budget::always);
    whole.max_handshakes = share_of(whole.max_handshakes, number, count);
    whole.mcp.sessions = share_of(whole.mcp.sessions, number, count);
    return whole;
}

// Ends the sessions of a service on its thread; where that does not run any more, with its context.
class last_call {
public:
    explicit last_call(std::shared_ptr<http_service> of) noexcept : of_(std::move(of)) {}
    last_call(const last_call&) = delete;
    last_call& operator=(const last_call&) = delete;
    ~last_call() { (*this)(); }
    void forget() noexcept { of_.reset(); }

    void operator()() noexcept
    {
        if (const std::shared_ptr<http_service> one = std::move(of_))
            one->on_over();
    }

private:
    std::shared_ptr<http_service> of_;
};

class connection_handle final : public served_connection {
public:
    explicit connection_handle(std::shared_ptr<shard_connection> of) noexcept : of_(std::move(of)) {}
    ~connection_handle() override { of_->drop(); }
    void close_in_order() override { of_->close_in_order(); }
    void stop_at_once() override { of_->stop_at_once(); }

private:
    const std::shared_ptr<shard_connection> of_;
};

} // namespace

service_shards::service_shards(const server_threads& threads, asio::any_io_executor strand,
                               const server_options& options)
{
    const std::size_t count = threads.size();
    const auto place = count == 1 ? nullptr : std::make_shared<const thread_place>(count);
    shards_.reserve(count);
    for (std::size_t i = 0; i != count; ++i) {
        const asio::any_io_executor executor = i == 0 ? strand : threads.executor(i);
        shards_.push_back(std::make_shared<http_service>(executor, part_of(options, i, count), place, i));
    }
}

// Before whatever is posted later. A thread that there is no memory to tell is told by the first of its connections
// that ends.
void service_shards::begin_lame_duck() noexcept
{
    tell_each([](http_service& one) { one.begin_lame_duck(); });
}

void service_shards::begin_drain() noexcept
{
    tell_each([](http_service& one) { one.begin_drain(); });
}

void service_shards::tell_each(void (*what)(http_service&)) noexcept
{
    for (const std::shared_ptr<http_service>& one : shards_) {
        try {
            try_twice([&] { asio::dispatch(one->executor(), [one, what] { what(*one); }); });
        } catch (const std::bad_alloc&) {
        }
    }
}

std::size_t service_shards::sessions() const noexcept
{
    std::size_t all = 0;
    for (const std::shared_ptr<http_service>& one : shards_)
        all += one->sessions();
    return all;
}

std::unique_ptr<served_connection> service_shards::serve(listener::connection accepted, connection_hooks hooks)
{
    const auto one = std::make_shared<shard_connection>(weak_from_this(), hooks.thread);
    auto handle = std::make_unique<connection_handle>(one);
    one->begin(std::move(accepted), std::move(hooks), front()->executor());
    return handle;
}

void service_shards::on_over() noexcept
{
    front()->on_over();
    for (std::size_t i = 1; i != shards_.size(); ++i) {
        std::shared_ptr<last_call> call;
        try {
            call = std::make_shared<last_call>(shards_[i]);
            post_persistently(shards_[i]->executor(), [call] { (*call)(); });
        } catch (const std::bad_alloc&) { // its sessions end when they have been idle for long enough
            if (call)
                call->forget();
        }
    }
}

} // namespace partyline::http
