#include "mcp/client/listening.hpp"

#include "async/back_off.hpp"
#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::string_view tells_no_longer = "the MCP server tells of changes no longer";

// A pause of 0 is for ever, as in `time_limit`; a negative one is 1 ms.
back_off::rule pauses_of(const client_options& options)
{
    using duration = back_off::duration;
    const bool is_negative = options.listen_pause < duration::zero();
    const duration first = is_negative ? std::chrono::milliseconds(1) : options.listen_pause;
    return {first, 2, std::max<duration>(first, std::chrono::minutes(1)), 0};
}

// The server has acknowledged the request without its subject. One that ends it unacknowledged may honour it later.
bool is_refused(const std::shared_ptr<listen_stream>& opened)
{
    return opened && opened->is_acknowledged() && !opened->is_honoured();
}

} // namespace

/// One stream opens at a time: an acknowledgment without an id is of that one.
class listening::lock {
public:
    lock(listening& of, std::shared_ptr<client_core> hold, async_mutex::lock alone)
        : of_(of), hold_(std::move(hold)), alone_(std::move(alone))
    {
    }
    lock(const lock&) = delete;
    lock& operator=(const lock&) = delete;
    ~lock() { of_.opening_ = nullptr; }

private:
    listening& of_;
    std::shared_ptr<client_core> hold_;
    async_mutex::lock alone_;
};

listening::listening(client_core& of) : core_(of), turns_(of.get_executor()) {}

listening::~listening() = default;

bool listening::is_kept(const stream_ptr& of) const
{
    const auto found = kept_.find(of->subject);
    return found != kept_.end() && found->second == of;
}

void listening::start()
{
    json::object all = wanted_lists(core_.handlers(), core_.server().capabilities);
    if (has_ended_ || all.empty())
        return;
    auto opened = std::make_shared<listen_stream>(core_.get_executor(), listen_subject(), std::move(all));
    co_spawn(core_.get_executor(), open_lists(core_.shared_from_this(), std::move(opened)),
             [](const std::exception_ptr&) {});
}

// Logs what is thrown: there is no caller.
task<void> listening::open_lists(std::shared_ptr<client_core> hold, stream_ptr opened)
{
    try {
        async_mutex::lock alone = co_await take_turn();
        const lock own(*this, hold, std::move(alone));
        co_await open(std::move(opened));
    } catch (const std::exception& failed) {
        if (!is_over())
            hold->log("the MCP server does not tell of changes", exception_text(failed));
    }
}

task<async_mutex::lock> listening::take_turn()
{
    auto [failed, alone] = co_await turns_.async_lock(asio::as_tuple(asio::deferred));
    if (has_ended_)
        throw failed_call(core_.end_reason());
    if (failed)
        throw failed_call(failed);
    co_return std::move(alone);
}

// The caller has the turn.
task<void> listening::open(stream_ptr opened)
{
    opening_ = opened;
    begin(opened);
    opened->changed.expires_at(time_limit(core_.options().handshake_timeout).end());
    const auto [cancelled] = co_await opened->changed.async_wait(asio::as_tuple(asio::deferred));
    if (has_ended_) {
        opened->cancel();
        throw failed_call(core_.end_reason());
    }
    if (opened->end && !opened->was_lost())
        opened->throw_end();
    if (opened->is_honoured()) {
        keep(opened);
        co_return;
    }
    opened->cancel();
    if (opened->is_acknowledged())
        throw failed_call(client_errc::not_subscribed, opened->subject.name());
    if (cancelled)
        throw failed_call(asio::error::operation_aborted);
    throw failed_call(errc::timeout, "the server does not acknowledge subscriptions/listen");
}

// The server may have ended the stream right after it acknowledged it.
void listening::keep(const stream_ptr& opened)
{
    kept_[opened->subject] = opened;
    drop_results(*opened);
    if (opened->end)
        begin_again(opened);
}

// Results in the cache may have changed before the stream opened, or while it was lost.
void listening::drop_results(const listen_stream& about)
{
    result_cache& known = core_.results();
    if (about.subject.is_resource())
        known.drop_resource(*about.subject.key);
    if (about.wanted.contains(filter_names::tools))
        core_.drop_tools();
    if (about.wanted.contains(filter_names::prompts))
        known.drop(methods::list_prompts);
    if (about.wanted.contains(filter_names::resources))
        known.drop_resources();
}

void listening::begin(const stream_ptr& opened)
{
    const std::string members = "\"notifications\":" + json::serialize(opened->wanted);
    call_hooks quiet;
    json_text params(core_.params_text(members, quiet));
    auto done = [this, hold = core_.shared_from_this(), opened](error_code, response reply) {
        on_ended(opened, std::move(reply));
    };
    core_.peer().call(std::string(methods::listen),
                      std::move(params))(asio::bind_cancellation_slot(opened->cancelling.slot(), std::move(done)));
}

void listening::on_ended(const stream_ptr& ended, response reply)
{
    const bool is_own = listen_stream::is_own_end(reply.code());
    ended->end.emplace(std::move(reply));
    ended->changed.cancel();
    if (!is_kept(ended) || is_over())
        return;
    if (is_own)
        kept_.erase(ended->subject);
    else
        begin_again(ended);
}

void listening::begin_again(const stream_ptr& ended)
{
    try {
        co_spawn(core_.get_executor(), open_again(core_.shared_from_this(), ended), [](const std::exception_ptr&) {});
    } catch (const std::bad_alloc&) {
        kept_.erase(ended->subject);
        core_.log(tells_no_longer);
    }
}

// Tries to open a lost stream again until one is open, or the subscription has ended.
task<void> listening::open_again(std::shared_ptr<client_core> hold, stream_ptr ended)
{
    back_off pauses(pauses_of(hold->options()));
    while (is_kept(ended)) {
        ended->changed.expires_at(time_limit(pauses.next(0)).end());
        co_await ended->changed.async_wait(asio::as_tuple(asio::deferred));
        co_await try_again(hold, ended);
    }
    if (kept_.contains(ended->subject)) // also where `subscribe` has opened it meanwhile
        tell_of_gap(*ended);
}

// Logs one of several failures in a row.
task<void> listening::try_again(std::shared_ptr<client_core> hold, stream_ptr ended)
{
    stream_ptr opened;
    try {
        async_mutex::lock alone = co_await take_turn();
        const lock own(*this, hold, std::move(alone));
        if (is_kept(ended)) {
            opened = std::make_shared<listen_stream>(core_.get_executor(), ended->subject, ended->wanted);
            co_await open(opened);
        }
    } catch (const std::exception& failed) {
        if (is_over())
            kept_.erase(ended->subject);
        else if (!std::exchange(ended->is_outage_told, true))
            hold->log(tells_no_longer, exception_text(failed));
        if (is_kept(ended) && !ended->subject.extension.empty() && is_refused(opened))
            give_up(*ended);
    }
}

// The subscriber gets this as a gap, and may subscribe again.
void listening::give_up(const listen_stream& ended)
{
    kept_.erase(ended.subject);
    tell_of_gap(ended);
}

bool listening::is_over() const noexcept
{
    return has_ended_ || core_.has_ended();
}

// Changes during the gap are unknown.
void listening::tell_of_gap(const listen_stream& in)
{
    if (in.subject.is_lists())
        core_.tell_of_lists();
    else if (in.subject.is_resource())
        core_.tell_of_resource(*in.subject.key);
    else
        core_.tell_of_gap(in.subject);
}

// Waits for another call that subscribes to the same.
task<void> listening::subscribe(listen_subject what)
{
    const std::shared_ptr<client_core> hold = core_.shared_from_this();
    async_mutex::lock alone = co_await take_turn();
    const lock own(*this, hold, std::move(alone));
    if (const auto found = kept_.find(what); found != kept_.end()) {
        if (!found->second->end)
            co_return;
        found->second->cancel(); // it need not be waited for
    }
    json::object all = wanted(what);
    auto opened = std::make_shared<listen_stream>(core_.get_executor(), std::move(what), std::move(all));
    co_await open(std::move(opened));
}

task<void> listening::unsubscribe(listen_subject what)
{
    const std::shared_ptr<client_core> hold = core_.shared_from_this();
    const async_mutex::lock alone = co_await take_turn();
    const auto found = kept_.find(what);
    if (found == kept_.end())
        co_return;
    const stream_ptr old = std::move(found->second);
    kept_.erase(found);
    old->cancel();
}

void listening::end()
{
    has_ended_ = true;
    turns_.cancel();
    const auto all = std::exchange(kept_, {});
    for (const auto& [subject, opened] : all)
        opened->cancel();
    if (opening_)
        opening_->cancel();
}

} // namespace partyline::mcp
