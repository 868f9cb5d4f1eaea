#include "http/sessions/store_calls.hpp"

#include "session/budget_share.hpp"
#include "session/current_exception.hpp"
#include "session/log.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// What a call takes besides what it is given: its frames, and what stands here.
constexpr std::size_t bytes_of_call = std::size_t(2) << 10;

template <class T>
asio::awaitable<T> checked_coroutine(asio::awaitable<T> made)
{
    if (!made.valid())
        throw std::logic_error("it returned no coroutine");
    return made;
}

// The store's own code never runs within whoever calls: each of these begins by a post.

asio::awaitable<stored_events> run_append(std::shared_ptr<event_store> in, event_stream_key to, stored_events what)
{
    co_await asio::post(asio::use_awaitable);
    asio::awaitable<void> work = checked_coroutine(in->append(std::move(to), std::move(what)));
    co_await std::move(work);
    co_return stored_events();
}

asio::awaitable<stored_events> run_read(std::shared_ptr<event_store> in, event_stream_key of, std::uint64_t from,
                                        std::size_t max_bytes)
{
    co_await asio::post(asio::use_awaitable);
    asio::awaitable<stored_events> work = checked_coroutine(in->read(std::move(of), from, max_bytes));
    co_return co_await std::move(work);
}

asio::awaitable<stored_events> run_end(std::shared_ptr<event_store> in, std::string session)
{
    co_await asio::post(asio::use_awaitable);
    asio::awaitable<void> work = checked_coroutine(in->end_session(std::move(session)));
    co_await std::move(work);
    co_return stored_events();
}

} // namespace

/// One call: told and cancelled at most once each. The coroutine owns it, and so does the list of those under way.
class store_calls::call {
public:
    call(const std::shared_ptr<memory_budget>& budget, std::size_t bytes, receiver told)
        : told_(std::move(told)), budget_(budget), share_(budget.get())
    {
        share_.set(bytes);
    }

    void tell(result got) noexcept
    {
        if (const receiver told = std::exchange(told_, nullptr))
            told(std::move(got));
    }
    void forget_receiver() noexcept { told_ = nullptr; }
    // The operations that are cancelled are the user's. What they throw is theirs: the call ends when it ends.
    void cancel() noexcept
    {
        if (std::exchange(is_cancelled, true) || is_over)
            return;
        try {
            signal.emit(asio::cancellation_type::all);
        } catch (...) {
        }
    }

    asio::cancellation_signal signal;
    clock::time_point since = clock::now();
    call_list::iterator place; // valid as long as it is under way
    bool is_cancelled = false;
    bool is_over = false; // its coroutine has ended; where the call is still in the list, Asio has destroyed it

private:
    receiver told_;
    const std::shared_ptr<memory_budget> budget_;
    budget_share share_;
};

/// Goes with the coroutine. Asio destroys it without a word when an operation that it begins throws: then the next tick
/// ends the call.
class store_calls::coroutine_end {
public:
    coroutine_end(std::weak_ptr<store_calls> to, std::shared_ptr<call> of) noexcept
        : calls_(std::move(to)), of_(std::move(of))
    {
    }
    coroutine_end(coroutine_end&&) noexcept = default;
    ~coroutine_end()
    {
        if (of_)
            of_->is_over = true;
    }

    void operator()(const std::exception_ptr& thrown, stored_events got)
    {
        const std::shared_ptr<call> one = std::exchange(of_, nullptr);
        one->is_over = true;
        if (const auto calls = calls_.lock())
            calls->on_end(*one, thrown, std::move(got));
    }

private:
    std::weak_ptr<store_calls> calls_;
    std::shared_ptr<call> of_;
};

void store_calls::ticket::cancel() noexcept
{
    const std::shared_ptr<call> one = std::exchange(of_, {}).lock();
    if (!one)
        return;
    one->forget_receiver();
    one->cancel();
}

template <class Work>
std::shared_ptr<store_calls::call> store_calls::begin(Work work, std::size_t bytes, receiver told)
{
    const auto one = std::make_shared<call>(budget_, bytes + bytes_of_call, std::move(told));
    one->place = calls_.insert(calls_.end(), one);
    try {
        asio::co_spawn(executor_, work(),
                       asio::bind_cancellation_slot(one->signal.slot(), coroutine_end(weak_from_this(), one)));
    } catch (...) {
        one->forget_receiver();
        calls_.erase(one->place);
        throw;
    }
    return one;
}

void store_calls::append(event_stream_key to, stored_events what, std::size_t bytes, receiver told)
{
    begin([&] { return run_append(store_, std::move(to), std::move(what)); }, bytes, std::move(told));
}

store_calls::ticket store_calls::read(event_stream_key of, std::uint64_t from, std::size_t max_bytes, receiver told)
{
    return ticket(begin([&] { return run_read(store_, std::move(of), from, max_bytes); }, max_bytes, std::move(told)));
}

void store_calls::end_session(std::string session) noexcept
{
    if (!has_room())
        return;
    try {
        begin([&] { return run_end(store_, std::move(session)); }, 0, nullptr);
    } catch (...) { // it has to expire by itself
    }
}

void store_calls::on_end(call& one, const std::exception_ptr& thrown, stored_events got) noexcept
{
    calls_.erase(one.place);
    if (thrown) {
        if (!one.is_cancelled)
            note_failure(thrown);
        return one.tell(std::nullopt);
    }
    is_failing_ = false;
    one.tell(std::move(got));
    if (!has_room() || waiting_.empty())
        return;
    waiter& next = waiting_.front();
    waiting_.pop_front();
    next.try_again();
}

std::shared_ptr<store_calls::call> store_calls::find_late(clock::time_point now) const noexcept
{
    for (const std::shared_ptr<call>& one : calls_) {
        if (one->is_over || (!one->is_cancelled && now - one->since > time_limit))
            return one;
    }
    return nullptr;
}

// What is told may begin and end other calls.
void store_calls::on_tick(clock::time_point now) noexcept
{
    waiting_list again; // but not those whose calls fail now
    again.swap(waiting_);
    while (const std::shared_ptr<call> late = find_late(now)) {
        if (late->is_over) {
            calls_.erase(late->place);
            fail("a call of the event store was given up for want of memory");
        } else {
            fail("the event store has not answered within 10 s");
            late->cancel();
        }
        late->tell(std::nullopt);
    }
    while (!again.empty() && has_room()) {
        waiter& next = again.front();
        again.pop_front();
        next.try_again();
    }
    waiting_.splice(waiting_.begin(), again);
}

void store_calls::stop() noexcept
{
    is_stopped_ = true;
    for (bool has_more = true; has_more;) {
        has_more = false;
        for (const std::shared_ptr<call>& one : calls_) {
            if (one->is_cancelled)
                continue;
            const std::shared_ptr<call> hold = one;
            has_more = true;
            hold->cancel();
            hold->tell(std::nullopt);
            break; // the list may be another one now
        }
    }
}

void store_calls::note_lost(const event_stream_key& of) noexcept
{
    if (!losses_.allows(clock::now()))
        return;
    try {
        write_log(log_, "the event store is too slow or has failed: events of session " + of.session.substr(0, 16) +
                            " were dropped before they were stored");
    } catch (...) { // no memory for the line
    }
}

void store_calls::note_failure(const std::exception_ptr& thrown) noexcept
{
    try {
        std::rethrow_exception(thrown);
    } catch (...) {
        try {
            fail("the event store has failed: " + current_exception_text());
        } catch (...) {
            fail("the event store has failed, and there is no memory to say how");
        }
    }
}

void store_calls::fail(std::string_view line) noexcept
{
    is_failing_ = true;
    if (failures_.allows(clock::now()))
        write_log(log_, line);
}

} // namespace partyline::http
