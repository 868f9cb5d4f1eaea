#include "unit/fleet/simulation/simulated_front.hpp"

#include <utility>
#include <variant>

namespace partyline::test {

simulated_front::simulated_front(std::string name, virtual_time& time, simulated_network& network, call_ledger& ledger,
                                 fleet::front_limits limits)
    : name_(std::move(name)), time_(time), network_(network), ledger_(ledger), core_(name_, "tools", limits)
{
}

void simulated_front::receive(const parcel& message)
{
    if (is_dead_)
        return;
    core_.on_message({message.subject, message.reply_to, message.status, message.payload}, time_.now());
    carry_out();
}

void simulated_front::call(std::size_t number, std::chrono::milliseconds work, fleet::new_call with)
{
    call_record& record = ledger_.at(number);
    record.front = name_;
    record.is_idempotent = with.is_idempotent;
    record.is_front_dead = is_dead_;
    if (is_dead_)
        return;
    with.message = std::to_string(number) + ' ' + std::to_string(work.count());
    const std::uint64_t own = core_.enter(std::move(with), time_.now());
    numbers_[own] = number;
    own_numbers_[number] = own;
    carry_out();
}

void simulated_front::cancel(std::size_t number)
{
    if (is_dead_)
        return;
    ledger_[number].is_cancelled = true;
    core_.cancel(own_numbers_.at(number));
    carry_out();
}

void simulated_front::die()
{
    is_dead_ = true;
    network_.remove(name_);
    for (call_record& record : ledger_)
        record.is_front_dead = record.is_front_dead || record.front == name_;
}

void simulated_front::carry_out(const fleet::call_message& message)
{
    const auto found = numbers_.find(message.number);
    if (found == numbers_.end())
        return;
    call_record& record = ledger_[found->second];
    const bool is_own = message.message == "progress " + std::to_string(found->second);
    record.was_answered_wrongly = record.was_answered_wrongly || !is_own || record.settled > 0;
}

void simulated_front::carry_out(const fleet::call_settled& how)
{
    call_record& record = ledger_[numbers_.at(how.number)];
    ++record.settled;
    record.outcome = how.outcome;
    record.may_have_run = how.may_have_run;
    record.answer = how.message;
    const bool is_answered = how.outcome == fleet::front_outcome::answered;
    if (is_answered && how.message != "result " + std::to_string(numbers_.at(how.number)))
        record.was_answered_wrongly = true;
}

void simulated_front::carry_out()
{
    for (const fleet::front_effect& effect : core_.take_effects()) {
        std::visit([this](const auto& one) { carry_out(one); }, effect);
        if (is_dead_) // what it was about to say at its death
            return;
    }
    wait();
}

void simulated_front::wait()
{
    const auto due = core_.next_due();
    if (!due || (waits_until_ && *waits_until_ <= *due))
        return;
    waits_until_ = due;
    time_.after(std::max(*due - time_.now().steady, virtual_time::duration()), [self = shared_from_this(), due] {
        if (self->waits_until_ != due)
            return;
        self->waits_until_.reset();
        if (self->is_dead_)
            return;
        self->core_.on_time(self->time_.now());
        self->carry_out();
    });
}

} // namespace partyline::test
