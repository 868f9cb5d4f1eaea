#include "http/sessions/store_calls.hpp"

#include "session/budget_share.hpp"
#include "session/current_exception.hpp"

#include <partyline/session/log.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
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

/// One call: told at most once that it is late, and once that it has ended. The coroutine owns it, and so does the list
/// of those under way.
class store_calls::call {
public:
    call(const std::shared_ptr<memory_budget>& budget, std::size_t bytes)
        : bytes_(bytes + bytes_of_call), budget_(budget), share_(budget.get())
    {
        share_.set(bytes_);
    }

    void tell_end(result got) noexcept
    {
        if (const append_receiver told = std::exchange(appended, nullptr))
            told(got ? append_state::stored : append_state::failed);
        if (const read_receiver told = std::exchange(have_read, nullptr))
            told(std::move(got));
    }
    void tell_late() noexcept
    {
        if (appended)
            appended(append_state::late);
        if (const read_receiver told = std::exchange(have_read, nullptr))
            told(std::nullopt);
    }
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

    void put_rest(stored_events what, std::size_t bytes) noexcept
    {
        rest_ = std::move(what);
        share_.set(bytes_ + bytes);
        rest_bytes_ = bytes;
    }
    void drop_rest() noexcept
    {
        rest_.reset();
        share_.set(bytes_);
    }
    bool has_rest() const noexcept { return rest_.has_value(); }
    std::size_t rest_bytes() const noexcept { return rest_bytes_; }
    stored_events take_rest() noexcept
    {
        share_.set(0);
        return std::move(*std::exchange(rest_, std::nullopt));
    }

    asio::cancellation_signal signal;
    clock::time_point since = clock::now();
    call_list::iterator place; // valid as long as it is under way
    event_stream_key of;       // what it appends to or reads; without a session where it does neither
    append_receiver appended;
    read_receiver have_read;
    bool is_read = false;
    bool is_cancelled = false;
    bool is_over = false; // its coroutine has ended; where the call is still in the list, Asio has destroyed it

private:
    const std::size_t bytes_;
    std::optional<stored_events> rest_; // of a stream that has gone: to be appended next, which may be nothing
    std::size_t rest_bytes_ = 0;
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

void store_calls::read_handle::cancel() noexcept
{
    const std::shared_ptr<call> one = std::exchange(of_, {}).lock();
    if (!one)
        return;
    one->have_read = nullptr;
    one->cancel();
}

template <class Work>
void store_calls::begin(const std::shared_ptr<call>& one, Work work)
{
    one->place = calls_.insert(calls_.end(), one);
    reads_ += one->is_read ? 1 : 0;
    try {
        asio::co_spawn(executor_, work(),
                       asio::bind_cancellation_slot(one->signal.slot(), coroutine_end(weak_from_this(), one)));
    } catch (...) {
        leave(*one);
        throw;
    }
}

void store_calls::begin_append(const std::shared_ptr<call>& one, stored_events what)
{
    begin(one, [&] { return run_append(store_, one->of, std::move(what)); });
}

void store_calls::leave(const call& one) noexcept
{
    reads_ -= one.is_read ? 1 : 0;
    calls_.erase(one.place);
}

void store_calls::append(event_stream_key to, stored_events what, std::size_t bytes, append_receiver told)
{
    const auto one = std::make_shared<call>(budget_, bytes);
    one->of = std::move(to);
    one->appended = std::move(told);
    begin_append(one, std::move(what));
}

store_calls::read_handle store_calls::read(event_stream_key of, std::uint64_t from, std::size_t max_bytes,
                                           read_receiver told)
{
    const auto one = std::make_shared<call>(budget_, max_bytes);
    one->is_read = true;
    one->of = std::move(of);
    one->have_read = std::move(told);
    begin(one, [&] { return run_read(store_, one->of, from, max_bytes); });
    return read_handle(one);
}

bool store_calls::has_room_to_read(const std::string& session) const noexcept
{
    if (reads_ >= max_reads || !has_room())
        return false;
    const auto count = std::count_if(calls_.begin(), calls_.end(), [&](const std::shared_ptr<call>& one) {
        return one->is_read && one->of.session == session;
    });
    return static_cast<std::size_t>(count) < max_reads_of_session;
}

bool store_calls::has_room_for_last(const event_stream_key& to, std::size_t bytes) const noexcept
{
    const call* const before = find_append(to);
    const bool has_place = before ? !before->is_cancelled : has_room();
    return has_place && (!budget_ || budget_->left() >= bytes);
}

void store_calls::append_last(const event_stream_key& to, stored_events what, std::size_t bytes) noexcept
{
    if (!has_room_for_last(to, bytes))
        return note_lost(to);
    if (call* const before = find_append(to))
        return before->put_rest(std::move(what), bytes);
    try {
        const auto one = std::make_shared<call>(budget_, bytes);
        one->of = to;
        one->put_rest({}, 0); // nothing follows, and nobody else knows of a failure
        begin_append(one, std::move(what));
    } catch (...) {
        note_lost(to);
    }
}

// Of a stream that has gone nobody else has the rest.
void store_calls::append_rest(call& behind, bool is_stored) noexcept
{
    if (!behind.has_rest())
        return;
    const std::size_t bytes = behind.rest_bytes();
    stored_events rest = behind.take_rest();
    if (!is_stored)
        note_lost(behind.of);
    else if (!rest.events.empty() || rest.end != 0)
        append_last(behind.of, std::move(rest), bytes);
}

void store_calls::end_session(const std::string& session) noexcept
{
    for (const std::shared_ptr<call>& one : calls_) {
        if (one->of.session == session)
            one->drop_rest();
    }
    if (!has_room())
        return;
    try {
        const auto one = std::make_shared<call>(budget_, 0);
        begin(one, [&] { return run_end(store_, session); });
    } catch (...) { // it has to expire by itself
    }
}

store_calls::call* store_calls::find_append(const event_stream_key& to) const noexcept
{
    for (const std::shared_ptr<call>& one : calls_) {
        if (!one->is_read && one->of == to)
            return one.get();
    }
    return nullptr;
}

bool store_calls::is_appending(const event_stream_key& to) const noexcept
{
    const call* const one = find_append(to);
    return one && !one->is_cancelled;
}

// Who waits for room is before whoever may begin more by what is told here.
void store_calls::on_end(call& one, const std::exception_ptr& thrown, stored_events got) noexcept
{
    leave(one);
    if (thrown && !one.is_cancelled)
        note_failure(one, thrown);
    append_rest(one, !thrown);
    serve_waiting();
    one.tell_end(thrown ? result() : result(std::move(got)));
}

void store_calls::serve_waiting() noexcept
{
    while (!waiting_for_room_.empty() && has_room()) {
        waiter& next = waiting_for_room_.front();
        waiting_for_room_.pop_front();
        next.try_again();
    }
}

std::shared_ptr<store_calls::call> store_calls::find_running() const noexcept
{
    for (const std::shared_ptr<call>& one : calls_) {
        if (!one->is_cancelled)
            return one;
    }
    return nullptr;
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
    again.swap(waiting_for_tick_);
    while (const std::shared_ptr<call> late = find_late(now)) {
        if (late->is_over) {
            leave(*late);
            log_failure(*late, "a call of the event store was given up for want of memory");
            append_rest(*late, false);
            late->tell_end(std::nullopt);
        } else {
            log_failure(*late, "the event store has not answered within 10 s");
            late->cancel();
            late->tell_late();
        }
    }
    serve_waiting();
    for (std::size_t tries = 0; tries != max_retries && !again.empty(); ++tries) {
        waiter& next = again.front();
        again.pop_front();
        next.try_again();
    }
    waiting_for_tick_.splice(waiting_for_tick_.begin(), again); // before those that have tried
}

void store_calls::stop() noexcept
{
    is_stopped_ = true;
    while (const std::shared_ptr<call> one = find_running()) { // what is told may end others
        one->cancel();
        one->tell_late();
    }
}

void store_calls::note_lost(const event_stream_key& of) noexcept
{
    if (is_stopped_ || !losses_.allows(clock::now()))
        return;
    try {
        write_log(log_, "the event store is too slow or has failed: events of session " + of.session.substr(0, 16) +
                            " were dropped before they were stored");
    } catch (...) { // no memory for the line
    }
}

void store_calls::note_failure(const call& of, const std::exception_ptr& thrown) noexcept
{
    try {
        std::rethrow_exception(thrown);
    } catch (...) {
        try {
            log_failure(of, "the event store has failed: " + current_exception_text());
        } catch (...) {
            log_failure(of, "the event store has failed, and there is no memory to say how");
        }
    }
}

void store_calls::log_failure(const call& of, std::string_view line) noexcept
{
    if ((of.is_read ? read_failures_ : failures_).allows(clock::now()))
        write_log(log_, line);
}

} // namespace partyline::http
