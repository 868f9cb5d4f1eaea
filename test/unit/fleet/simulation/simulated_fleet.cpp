#include "unit/fleet/simulation/simulated_fleet.hpp"

#include <algorithm>
#include <utility>

namespace partyline::test {

using fleet::front_outcome;

simulated_fleet::simulated_fleet(std::size_t fronts, std::size_t workers, fleet::worker_limits limits,
                                 fleet::front_limits front_limits)
    : limits_(limits), front_limits_(front_limits)
{
    for (std::size_t i = 0; i < fronts; ++i)
        add_front();
    workers_.resize(workers);
    for (std::size_t i = 0; i < workers; ++i)
        add_worker(i);
}

simulated_fleet::~simulated_fleet()
{
    for (const auto& worker : workers_)
        worker->die();
    for (const auto& worker : draining_)
        worker->die();
}

void simulated_fleet::add_front()
{
    const std::string name = "F" + std::to_string(++names_);
    fronts_.push_back(std::make_shared<simulated_front>(name, time, network, ledger, front_limits_));
    network.subscribe("pl.r." + name + '.', fronts_.back());
}

void simulated_fleet::add_worker(std::size_t index)
{
    const std::string name = "W" + std::to_string(++names_);
    workers_[index] = std::make_shared<simulated_worker>(name, time, network, ledger, limits_);
    workers_[index]->start();
}

std::size_t simulated_fleet::call(std::size_t front, virtual_time::duration delay, std::chrono::milliseconds work,
                                  bool is_idempotent)
{
    const std::size_t number = ledger.size();
    ledger.emplace_back();
    ++planned_;
    time.after(delay, [this, front, number, work, is_idempotent] {
        --planned_;
        fleet::new_call with;
        with.is_idempotent = is_idempotent;
        fronts_[front]->call(number, work, std::move(with));
    });
    return number;
}

void simulated_fleet::cancel(std::size_t call, virtual_time::duration delay)
{
    ++planned_;
    time.after(delay, [this, call] {
        --planned_;
        for (const auto& front : fronts_) {
            if (front->name() == ledger[call].front)
                front->cancel(call);
        }
    });
}

void simulated_fleet::kill(const std::string& name)
{
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (workers_[i]->name() == name)
            kill_worker(i);
    }
    for (std::size_t i = 0; i < fronts_.size(); ++i) {
        if (fronts_[i]->name() == name)
            kill_front(i);
    }
}

void simulated_fleet::kill_worker(std::size_t index)
{
    if (workers_[index]->is_dead())
        return;
    workers_[index]->die();
    ++planned_;
    time.after(std::chrono::seconds(1), [this, index] {
        --planned_;
        add_worker(index);
    });
}

void simulated_fleet::kill_front(std::size_t index)
{
    fronts_[index]->die();
}

void simulated_fleet::replace_worker(std::size_t index)
{
    if (workers_[index]->is_dead())
        return;
    draining_.push_back(workers_[index]);
    draining_.back()->drain();
    add_worker(index);
}

void simulated_fleet::cut(const std::string& name, virtual_time::duration how_long)
{
    network.cut(name);
    ++planned_;
    time.after(how_long, [this, name] {
        --planned_;
        network.restore(name);
        for (const auto& worker : workers_) {
            if (worker->name() == name)
                worker->connect_again();
        }
    });
}

void simulated_fleet::lose_leader(virtual_time::duration how_long)
{
    server.has_leader = false;
    ++planned_;
    time.after(how_long, [this] {
        --planned_;
        server.has_leader = true;
    });
}

bool simulated_fleet::is_idle() const
{
    const auto is_done = [](const auto& worker) { return worker->is_dead() || worker->core().held_items() == 0; };
    return planned_ == 0 && server.items() == 0 && std::all_of(workers_.begin(), workers_.end(), is_done) &&
           std::all_of(draining_.begin(), draining_.end(), [](const auto& one) { return one->is_drained(); }) &&
           std::all_of(ledger.begin(), ledger.end(),
                       [](const call_record& call) { return call.settled > 0 || call.is_front_dead; });
}

virtual_time::duration simulated_fleet::run(virtual_time::duration at_most)
{
    const virtual_time::duration begin = time.passed();
    while (!is_idle() && time.run_one(begin + at_most)) {
    }
    const virtual_time::duration took = time.passed() - begin;
    // What was on its way, and would answer twice.
    const virtual_time::duration end = time.passed() + std::chrono::seconds(30);
    while (time.run_one(end)) {
    }
    return took;
}

std::string simulated_fleet::complaint_of(std::size_t number) const
{
    const call_record& call = ledger[number];
    if (call.settled > 1)
        return "was answered twice";
    if (call.settled == 0 && !call.is_front_dead)
        return "was not answered";
    if (!call.is_idempotent && call.runs > 1)
        return "ran twice";
    if (call.was_answered_wrongly)
        return "was answered wrongly";
    if (call.settled == 1 && call.outcome == front_outcome::answered && call.runs == 0)
        return "was answered without a run";
    if (call.settled == 1 && call.outcome != front_outcome::answered && !call.may_have_run && call.runs > 0)
        return "ran, and its client was told that it did not";
    return {};
}

std::string simulated_fleet::complaint() const
{
    for (std::size_t i = 0; i < ledger.size(); ++i) {
        const std::string one = complaint_of(i);
        if (!one.empty())
            return "call " + std::to_string(i) + ' ' + one;
    }
    if (server.items() != 0)
        return "an item is left in the stream";
    for (const auto& worker : workers_) {
        if (!worker->is_dead() && worker->core().held_items() != 0)
            return worker->name() + " holds an item for ever";
        if (worker->refused() != 0)
            return worker->name() + " has refused an item";
    }
    for (const auto& front : fronts_) {
        if (!front->is_dead() && (front->core().open_calls() != 0 || front->core().totals().dropped != 0))
            return front->name() + " keeps a call for ever, or has dropped a message";
    }
    return {};
}

} // namespace partyline::test
