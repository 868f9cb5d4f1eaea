#include "unit/fleet/simulation/simulated_worker.hpp"

#include <utility>
#include <variant>

namespace partyline::test {

simulated_worker::simulated_worker(std::string name, virtual_time& time, simulated_network& network,
                                   call_ledger& ledger, fleet::worker_limits limits)
    : name_(std::move(name)), time_(time), network_(network), ledger_(ledger), core_(name_, "tools", {}, limits)
{
}

void simulated_worker::start()
{
    const std::string own = "pl.w." + name_;
    network_.subscribe(own + ".p.", shared_from_this());
    network_.subscribe(own + ".k.", shared_from_this());
    network_.subscribe(own + ".c.", shared_from_this());
    network_.subscribe("pl.c.tools", shared_from_this());
    core_.on_connected(time_.now());
    carry_out();
}

void simulated_worker::connect_again()
{
    when_running([this] {
        core_.on_connected(time_.now());
        carry_out();
    });
}

void simulated_worker::when_running(std::function<void()> what)
{
    if (is_dead_)
        return;
    if (is_paused_)
        paused_.push_back(std::move(what));
    else
        what();
}

void simulated_worker::receive(const parcel& message)
{
    when_running([this, message] {
        const std::string& subject = message.shown_subject.empty() ? message.subject : message.shown_subject;
        core_.on_message({subject, message.reply_to, message.status, message.payload}, time_.now());
        carry_out();
    });
}

void simulated_worker::drain()
{
    when_running([this] {
        core_.drain(time_.now());
        carry_out();
    });
}

void simulated_worker::die()
{
    is_dead_ = true;
    paused_.clear(); // they may keep this
    network_.remove(name_);
}

void simulated_worker::pause(virtual_time::duration how_long)
{
    if (std::exchange(is_paused_, true))
        return;
    time_.after(how_long, [self = shared_from_this()] {
        self->is_paused_ = false;
        for (auto& what : std::exchange(self->paused_, {}))
            self->when_running(std::move(what));
    });
}

void simulated_worker::carry_out()
{
    for (const fleet::worker_effect& effect : core_.take_effects()) {
        std::visit([this](const auto& one) { carry_out(one); }, effect);
        if (is_dead_)
            return;
    }
    wait();
}

void simulated_worker::carry_out(const fleet::run_started& run)
{
    const std::size_t call = std::stoul(run.call.message);
    const std::chrono::milliseconds work(std::stol(run.call.message.substr(run.call.message.find(' '))));
    ++ledger_.at(call).runs;
    handlers_[run.run] = {call};
    const auto self = shared_from_this();
    time_.after(work / 2, [self, number = run.run, call] {
        self->when_running([self, number, call] {
            self->core_.on_output(number, "progress " + std::to_string(call));
            self->carry_out();
        });
    });
    time_.after(work, [self, number = run.run] { self->when_running([self, number] { self->finish(number); }); });
}

void simulated_worker::finish(std::uint64_t run)
{
    const auto found = handlers_.find(run);
    if (found == handlers_.end())
        return;
    const std::size_t call = found->second.call;
    handlers_.erase(found);
    core_.on_end(run, "result " + std::to_string(call), time_.now());
    carry_out();
}

// A cancelled handler ends soon, and has something to say nevertheless.
void simulated_worker::carry_out(const fleet::run_cancelled& run)
{
    time_.after(std::chrono::milliseconds(5), [self = shared_from_this(), number = run.run] {
        self->when_running([self, number] { self->finish(number); });
    });
}

void simulated_worker::carry_out(const fleet::pulls_ended&)
{
    network_.unsubscribe("pl.w." + name_ + ".p.", name_);
}

void simulated_worker::carry_out(const fleet::worker_drained&)
{
    is_drained_ = true;
}

void simulated_worker::wait()
{
    const auto due = core_.next_due();
    if (!due || (waits_until_ && *waits_until_ <= *due))
        return;
    waits_until_ = due;
    time_.after(std::max(*due - time_.now().steady, virtual_time::duration()), [self = shared_from_this(), due] {
        self->when_running([self, due] {
            if (self->waits_until_ != due)
                return;
            self->waits_until_.reset();
            self->core_.on_time(self->time_.now());
            self->carry_out();
        });
    });
}

} // namespace partyline::test
