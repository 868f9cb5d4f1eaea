#include "unit/fleet/simulation/simulated_network.hpp"

#include <algorithm>

namespace partyline::test {
namespace {

bool fits(const std::string& pattern, const std::string& subject)
{
    return pattern.ends_with('.') ? subject.starts_with(pattern) : subject == pattern;
}

} // namespace

void simulated_network::subscribe(const std::string& pattern, const std::shared_ptr<network_member>& member)
{
    subscriptions_.emplace(pattern, member);
}

void simulated_network::unsubscribe(const std::string& pattern, const std::string& member)
{
    std::erase_if(subscriptions_,
                  [&](const auto& one) { return one.first == pattern && one.second->name() == member; });
}

void simulated_network::remove(const std::string& member)
{
    std::erase_if(subscriptions_, [&](const auto& one) { return one.second->name() == member; });
}

std::vector<std::shared_ptr<network_member>> simulated_network::subscribers(const std::string& subject) const
{
    std::vector<std::shared_ptr<network_member>> found;
    for (const auto& [pattern, member] : subscriptions_) {
        if (fits(pattern, subject) && !cut_.contains(member->name()))
            found.push_back(member);
    }
    return found;
}

bool simulated_network::has_subscriber(const std::string& subject) const
{
    return !subscribers(subject).empty();
}

void simulated_network::pass(const std::string& from, const std::string& to, const std::string& subject,
                             const std::function<void()>& arrive)
{
    const hop one{hops_++, from, to, subject};
    const fate is = decide ? decide(one) : fate();
    if (is.is_lost)
        return;
    time_.after(is.delay, arrive);
    if (is.is_doubled)
        time_.after(is.delay + std::chrono::milliseconds(1), arrive);
}

void simulated_network::publish(const std::string& from, const fleet::publication& what)
{
    if (cut_.contains(from))
        return;
    parcel message{what.subject, what.reply_to, 0, std::string(what.text()), what.message_id, what.is_create};
    pass(from, "server", what.subject, [this, message = std::move(message)] { serve(message); });
}

bool simulated_network::send(const parcel& message)
{
    const auto all = subscribers(message.subject);
    for (const auto& member : all) {
        pass("server", member->name(), message.subject, [this, member, message] {
            const auto still = subscribers(message.subject);
            if (std::find(still.begin(), still.end(), member) != still.end())
                member->receive(message);
        });
    }
    return !all.empty();
}

} // namespace partyline::test
