#include "session/conversation.hpp"

#include "session/requests/error_replies.hpp"

#include <utility>

namespace asio = boost::asio;

namespace partyline {
namespace {

// Sets a flag for the length of a scope.
class raised {
public:
    explicit raised(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    raised(const raised&) = delete;
    raised& operator=(const raised&) = delete;
    ~raised() { flag_ = false; }

private:
    bool& flag_;
};

// Clears who is active at the end of a scope, however that comes.
class activity {
public:
    explicit activity(worker*& active) noexcept : active_(active) {}
    activity(const activity&) = delete;
    activity& operator=(const activity&) = delete;
    ~activity() { active_ = nullptr; }

private:
    worker*& active_;
};

} // namespace

conversation::conversation(asio::any_io_executor executor, std::shared_ptr<const dispatcher> methods,
                           session_options options, std::unique_ptr<framing> frames)
    : executor_(std::move(executor)), gate_(std::make_shared<closable_executor>(executor_)), methods_(std::move(methods)),
      options_(std::move(options)), tap_(options_.hook, *this), profile_(*options_.profile),
      lifecycle_(profile_.make_lifecycle ? profile_.make_lifecycle() : nullptr),
      has_rules_(lifecycle_ || !profile_.has_batches || !profile_.has_odd_ids), frames_(std::move(frames)),
      reader_(options_.bounds, this), outbox_(*frames_, options_.bounds, counts_, options_.budget.get()),
      writer_(outbox_, options_.bounds, tap_, options_.on_overload == overload::pause),
      calls_(*this, executor_, outbox_, options_, tap_, profile_, counts_),
      queue_(options_.bounds, options_.budget.get()), input_share_(options_.budget.get()), end_timer_(executor_)
{
}

conversation::~conversation()
{
    calls_.drop_all();
    running_.clear();
    unheard_.clear();
}

void conversation::use_methods(std::shared_ptr<const dispatcher> methods)
{
    former_methods_.push_back(std::exchange(methods_, std::move(methods)));
    last_found_ = nullptr;
}

void conversation::drive() noexcept
{
    if (active_ || has_ended_)
        return;
    guarded([this] { take_turn(); });
    if (hook_failure_) [[unlikely]]
        fail(std::exchange(hook_failure_, nullptr));
    if (is_broken_off_ && !has_ended_) [[unlikely]]
        end();
}

void conversation::take_turn()
{
    ended_workers_.clear();
    entered_ = 0;
    hand_over(); // what has waited for room comes before what is new
    do {
        run_workers();
    } while (flush());
    if (!former_methods_.empty() && running_.empty() && queue_.empty() && kept_.empty()) [[unlikely]] {
        former_methods_.clear();
        queue_.forget_methods();
    }
    if (is_turn_over()) {
        request_round();
    } else if (!must_pause()) [[likely]] {
        if (is_input_over_)
            take_end_of_input();
        else
            host_->resume_reading();
    } else {
        host_->on_pause();
    }
    resume_draining();
    check_end();
}

void conversation::run_workers()
{
    const activity running(active_);
    for (;;) {
        active_ = &take_idle_worker();
        if (!next_request(*active_))
            break;
        run(*active_);
    }
    idle_.push_back(active_);
    started_.clear();
}

worker& conversation::take_idle_worker()
{
    if (!idle_.empty()) {
        worker& last = *idle_.back();
        idle_.pop_back();
        return last;
    }
    workers_.emplace_front(*this);
    workers_.front().self = workers_.begin();
    idle_.reserve(workers_.size()); // to go back there must not fail
    return workers_.front();
}

void conversation::run(worker& loaded)
{
    loaded.run();
    if (loaded.stage != incoming_request::state::running)
        return;
    loaded.held = shared_from_this();
    enter(loaded);
}

bool conversation::next_request(worker& free) noexcept
{
    try {
        return load(free);
    } catch (...) {
        free.clear(); // of a request that it may have got half of
        fail(std::current_exception());
        return false;
    }
}

bool conversation::load(worker& free)
{
    // Only for the worker that drive() runs, and not from within itself: a handler may be resumed from anywhere, also
    // from inside another one or by a cancel right here.
    if (active_ != &free || is_loading_ || is_turn_over())
        return false;
    const raised loading(is_loading_);
    for (;;) {
        step taken = take_waiting(free);
        if (taken == step::none)
            taken = take_element(free);
        if (taken == step::none)
            taken = take_frame(free);
        if (taken != step::done)
            return taken == step::loaded;
    }
}

inline conversation::step conversation::take_waiting(worker& free)
{
    if (queue_.empty() || outbox_.is_full()) [[likely]]
        return step::none;
    started_.clear();
    if (!queue_.take_ready(started_))
        return step::none;
    note_waiting();
    waiting_request& next = started_.front();
    const message& m = reader_.read_element(next.text); // not read(): a batch may be half taken
    release(next);
    return start(m, *next.callee, next.rule, &next, free);
}

inline conversation::step conversation::take_element(worker& free)
{
    if (!batch_) [[likely]]
        return step::none;
    if (!is_stopped_ && next_element_ < reader_.elements().size()) {
        const std::string_view text = reader_.elements()[next_element_++];
        return on_message(reader_.read_element(text), text, free);
    }
    const std::shared_ptr<batch_reply> complete = std::move(batch_);
    writer_.drop_hold(*complete);
    return step::done;
}

inline conversation::step conversation::take_frame(worker& free)
{
    frame next;
    if (is_stopped_ || must_pause())
        return step::none;
    if (!frames_->next(next)) {
        if (options_.budget) [[unlikely]]
            note_pending();
        return step::none;
    }
    input_share_.set(0); // from here on it counts as what it becomes
    if (!next.problem.empty()) [[unlikely]] {
        on_bad_header(next);
        return step::done;
    }
    counts_.messages_in.add();
    if (next.is_oversize) [[unlikely]] {
        on_oversize(next);
        return step::done;
    }
    const message& m = reader_.read(next.text);
    return on_message(m, next.text, free);
}

// A message under way takes memory before anybody knows what it is: where none is left to share, it is given up.
void conversation::note_pending()
{
    if (frames_->pending() > memory_budget::always && input_share_.is_half_used())
        frames_->give_up_pending();
    if (frames_->pending() <= memory_budget::always)
        frames_->release_memory(); // a thousand sessions would each keep that of their longest message
    input_share_.set(frames_->pending());
}

bool conversation::keep(worker& idle) noexcept
{
    // A new one costs about as much as an echo. One read of short requests can start about two hundred.
    constexpr std::size_t most_idle = 1024;
    // Nor does it stay when it is the last to hold the conversation, which could not end well in here.
    if (has_ended_ || idle_.size() >= most_idle || idle.held.use_count() == 1)
        return false;
    idle.held.reset();
    idle_.push_back(&idle);
    return true;
}

void conversation::on_worker_lost(worker& lost) noexcept
{
    finish(lost, plain_internal_error());
    ended_workers_.splice(ended_workers_.begin(), workers_, lost.self);
}

// Handlers' exceptions don't get here: one that does comes from the worker itself.
void conversation::on_worker_ended(worker& ended, std::exception_ptr thrown) noexcept
{
    // Not destroyed at once: this is called from its own frame.
    ended_workers_.splice(ended_workers_.begin(), workers_, ended.self);
    if (thrown)
        fail(std::move(thrown));
}

} // namespace partyline
