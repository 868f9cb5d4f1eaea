#include "fleet/worker/worker_service.hpp"

#include "fleet/random_name.hpp"
#include "fleet/wire/names.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;

namespace partyline::fleet {
namespace {

constexpr std::chrono::seconds set_up_time{1};
constexpr std::chrono::milliseconds settle_time{200}; // of a stream that may have just been made
constexpr std::size_t head_bytes = 1024;              // of a reply, before the message

worker_options checked(worker_options options)
{
    if (options.max_calls == 0)
        throw std::invalid_argument("worker: no calls at all");
    options.session.executor_is_serial = true;
    options.session.bounds.message_bytes = std::max(options.session.bounds.message_bytes, options.max_message_bytes);
    return options;
}

worker_limits worker_limits_of(const worker_options& options)
{
    worker_limits made;
    made.slots = options.max_calls;
    made.max_sessions = options.max_sessions;
    made.max_message_bytes = options.max_message_bytes;
    return made;
}

worker_core::idempotence idempotence_of(const worker_options& options)
{
    if (!options.is_idempotent)
        return {};
    return [asked = options.is_idempotent](const item& call) {
        message_reader reader{limits()};
        const message& m = reader.read(call.message);
        return m.type == message_type::request && asked(m.method, m.params);
    };
}

std::shared_ptr<const peer_identity> identity_of(const std::optional<calling_peer>& who)
{
    if (!who)
        return {};
    auto made = std::make_shared<peer_identity>();
    made->principal = who->principal;
    made->source = who->source;
    made->scopes = who->scopes;
    return made;
}

} // namespace

worker_service::worker_service(asio::any_io_executor executor, std::shared_ptr<bus_core> by, std::string service,
                               served_methods methods, worker_options options)
    : executor_(std::move(executor)), bus_(std::move(by)), service_(checked_service(std::move(service), "worker")),
      methods_(std::move(methods)), options_(checked(std::move(options))), name_(random_name()),
      core_(name_, service_, idempotence_of(options_), worker_limits_of(options_)),
      setup_(name_, service_, options_.replicas), reader_(options_.session.bounds), timer_(executor_), life_(executor_),
      channels_(channel_table::side::worker, name_, *this)
{
    core_.take_only_when(options_.is_ready);
}

void worker_service::run(run_handler done)
{
    auto slot = asio::get_associated_cancellation_slot(done);
    if (slot.is_connected()) {
        slot.assign([late = weak_from_this()](asio::cancellation_type) {
            if (const auto self = late.lock())
                self->stop();
        });
    }
    asio::dispatch(executor_,
                   [self = shared_from_this(), done = std::move(done)]() mutable { self->begin(std::move(done)); });
}

void worker_service::begin(run_handler done)
{
    if (done_ || phase_ == phase::running)
        return asio::post(executor_, asio::append(std::move(done), error_code(errc::already_started)));
    done_.emplace(std::move(done));
    if (phase_ == phase::closing)
        return end({});
    if (phase_ == phase::ended)
        return end(asio::error::operation_aborted);
    phase_ = phase::running;
    life_.start(shared_from_this());
    attach();
}

void worker_service::prepare()
{
    const std::weak_ptr<inbox::receiver> self(std::shared_ptr<inbox::receiver>(shared_from_this(), this));
    inbox_ = std::make_shared<inbox>(executor_, self);
}

void worker_service::attach()
{
    bus_->attach(inbox_, {worker_subjects(name_, worker_use::pull), worker_subjects(name_, worker_use::claim),
                          worker_subjects(name_, worker_use::confirmation), worker_subjects(name_, worker_use::session),
                          worker_subjects(name_, worker_use::setup), cancel_subject(service_)});
}

void worker_service::tell_totals()
{
    worker_totals now = core_.totals();
    now.dropped = inbox_->dropped() + channels_.dropped();
    if (phase_ == phase::ended) // others have, or will have, what it had
        now.running = now.unconfirmed = now.sessions = 0;
    totals_.tell(now);
}

void worker_service::on_events(std::vector<bus_event> all) noexcept
try {
    if (phase_ != phase::running && phase_ != phase::closing)
        return;
    for (const bus_event& one : all) {
        try {
            std::visit([this](const auto& which) { on_event(which); }, one);
        } catch (const std::bad_alloc&) { // as if it had been lost
        }
    }
    carry_out();
} catch (const std::bad_alloc&) { // what is left is due still
}

void worker_service::on_event(const kept_message& message)
{
    const auto at = read_worker_subject(message.subject, name_);
    if (at && at->use == worker_use::session)
        return channels_.on_message(at->number, message.payload, std::chrono::steady_clock::now());
    if (!at || at->use != worker_use::setup)
        return core_.on_message(message.view(), current_moment());
    queue_setup::outcome how = setup_.on_answer(at->number, message.view());
    if (!how.problem.empty() && how.problem != last_log_)
        log(how.problem);
    if (how.goes_on || !how.problem.empty()) // otherwise the answer is no answer to what was asked
        last_log_ = std::move(how.problem);
    if (how.is_to_wait)
        return set_up_after(settle_time);
    if (how.goes_on && !setup_.is_ready())
        return set_up();
    if (!how.goes_on)
        return; // it is tried again when that is due
    set_up_again_.reset();
    if (std::exchange(is_new_connection_, false))
        core_.on_connected(current_moment());
}

void worker_service::on_event(const bus_connected& is)
{
    core_.limit_messages(std::min(options_.max_message_bytes, is.max_payload - std::min(is.max_payload, head_bytes)));
    max_payload_ = is.max_payload;
    is_new_connection_ = true;
    setup_.begin();
    set_up();
    channels_.on_connected(std::chrono::steady_clock::now());
}

void worker_service::on_event(const bus_disconnected&)
{
    setup_.begin(); // it is not ready until there is another connection
    set_up_again_.reset();
}

void worker_service::set_up()
{
    set_up_after(set_up_time);
    unsent_.push_back(setup_.next());
}

void worker_service::set_up_after(std::chrono::milliseconds pause)
{
    set_up_again_ = std::chrono::steady_clock::now() + pause;
}

void worker_service::on_time()
{
    if (phase_ == phase::ended)
        return;
    if (set_up_again_ && *set_up_again_ <= std::chrono::steady_clock::now())
        set_up();
    core_.on_time(current_moment());
    carry_out();
}

void worker_service::on_output(std::uint64_t run, std::string message)
{
    core_.on_output(run, std::move(message));
    carry_out();
}

void worker_service::on_end(std::uint64_t run, std::string message)
{
    runs_.erase(run);
    core_.on_end(run, std::move(message), current_moment());
    carry_out();
}

// A run may end while it begins, and has effects then. What there is no memory to do is as if a message had been lost,
// which each side makes up for; the next effects are carried out all the same.
void worker_service::carry_out()
{
    if (phase_ == phase::ended || std::exchange(is_carrying_out_, true))
        return;
    for (auto effects = core_.take_effects(); !effects.empty(); effects = core_.take_effects()) {
        for (worker_effect& one : effects) {
            try {
                std::visit([this](auto& which) { carry_out(which); }, one);
            } catch (const std::bad_alloc&) {
            }
        }
    }
    is_carrying_out_ = false;
    tell_totals(); // before anybody hears of what is counted
    publish();
    if (phase_ == phase::ended) // by one of them
        return;
    channels_.on_time(std::chrono::steady_clock::now());
    if (is_drained_ && phase_ == phase::closing)
        end({});
    else
        wait();
}

// Without memory it is answered all the same: its front waits, and it takes a slot until then.
void worker_service::carry_out(run_started& one)
try {
    std::shared_ptr<served_run> run = make_run(one.run, one.call);
    if (!run)
        return answer_unserved(one.run, one.call);
    runs_.emplace(one.run, run);
    run->begin(std::move(one.call));
} catch (const std::bad_alloc&) {
    if (const auto begun = runs_.extract(one.run))
        begun.mapped()->let_go();
    core_.on_end(one.run, {}, current_moment());
}

std::shared_ptr<served_run> worker_service::make_run(std::uint64_t run, const item& call)
try {
    session_options its = options_.session;
    std::shared_ptr<const dispatcher> methods = make_methods(call, its);
    its.executor_is_serial = true;
    return std::make_shared<served_run>(run, executor_, std::move(methods), std::move(its),
                                        static_cast<served_run::user&>(*this), reader_);
} catch (const std::exception& e) {
    log_failure("no conversation could be made: ", e);
    return nullptr;
}

std::shared_ptr<const dispatcher> worker_service::make_methods(const item& call, session_options& its)
{
    its.peer = identity_of(call.peer);
    const bool is_session = call.session == session_kind::session && options_.session_maker;
    const served_methods& by = is_session ? *options_.session_maker : methods_;
    return by.for_session(executor_, its);
}

void worker_service::answer_unserved(std::uint64_t run, const item& call)
{
    core_.on_end(run, unserved_reply(reader_, call.message), current_moment());
}

void worker_service::carry_out(const run_cancelled& one)
{
    const auto found = runs_.find(one.run);
    if (found == runs_.end())
        return;
    const std::shared_ptr<served_run> run = found->second;
    run->cancel();
}

void worker_service::carry_out(const item_refused& one)
{
    if (refusals_.allows(std::chrono::steady_clock::now()))
        log("a message of the bus was refused: " + std::string(one.why));
}

void worker_service::carry_out(const pulls_ended&)
{
    bus_->detach(inbox_, worker_subjects(name_, worker_use::pull));
}

void worker_service::carry_out(const queue_missed&)
{
    if (!setup_.is_ready()) // it is being made, or will be on the next connection
        return;
    setup_.begin();
    set_up();
}

void worker_service::carry_out(const worker_drained&)
{
    is_drained_ = true;
}

void worker_service::publish()
{
    if (unsent_.empty())
        return;
    std::vector<publication> all = std::exchange(unsent_, {});
    bus_->publish(all);
}

void worker_service::wait()
{
    std::optional<time_point> due = core_.next_due();
    for (const std::optional<time_point>& other : {set_up_again_, channels_.next_due()}) {
        if (other && (!due || *other < *due))
            due = other;
    }
    timer_.wait_until(due, weak_from_this(), &worker_service::on_time);
}

void worker_service::log(const std::string& line) const noexcept
{
    write_log(options_.session.log, line);
}

void worker_service::log_failure(const char* what, const std::exception& why) noexcept
try {
    if (failures_.allows(std::chrono::steady_clock::now()))
        log(what + exception_text(why));
} catch (const std::bad_alloc&) { // it is not said
}

} // namespace partyline::fleet
