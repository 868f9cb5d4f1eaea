#include "unit/fleet/simulation/simulated_server.hpp"

#include "fleet/wire/names.hpp"

#include <boost/json.hpp>

namespace partyline::test {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr virtual_time::duration ack_wait = 10s;
constexpr virtual_time::duration max_age = 10min;
constexpr virtual_time::duration duplicate_window = 2min;
constexpr virtual_time::duration claim_lifetime = 10min;

std::string error(int code, int err_code, std::string_view description)
{
    return json::serialize(
        json::object{{"error", {{"code", code}, {"err_code", err_code}, {"description", description}}},
                     {"stream", "S"},
                     {"seq", 0}});
}

std::string stored(std::uint64_t sequence, bool is_duplicate)
{
    json::object answer{{"stream", "S"}, {"seq", sequence}};
    if (is_duplicate)
        answer["duplicate"] = true;
    return json::serialize(answer);
}

} // namespace

simulated_server::simulated_server(virtual_time& time, simulated_network& network, std::string service)
    : time_(time), network_(network), service_(std::move(service))
{
    network_.serve = [this](const parcel& message) { serve(message); };
}

void simulated_server::answer(const parcel& request, std::string payload, int status)
{
    if (!request.reply_to.empty())
        network_.send({request.reply_to, {}, status, std::move(payload), {}, false});
}

void simulated_server::serve(const parcel& message)
{
    const bool is_for_stream = message.subject == fleet::queue_subject(service_) || message.subject.starts_with("$");
    if (is_for_stream && !has_leader)
        return answer(message, {}, fleet::no_responders);
    if (message.subject == fleet::queue_subject(service_))
        return store(message);
    if (message.subject.starts_with("$KV."))
        return create_claim(message);
    if (message.subject == fleet::pull_subject(service_))
        return open_pull(message);
    if (message.subject.starts_with("$JS.ACK."))
        return acknowledge(message);
    if (!network_.send(message))
        answer(message, {}, fleet::no_responders);
}

void simulated_server::store(const parcel& message)
{
    const auto known = message_ids_.find(message.message_id);
    if (known != message_ids_.end() && time_.passed() - known->second < duplicate_window)
        return answer(message, stored(1, true));
    if (items_.size() >= max_items)
        return answer(message, error(503, 10077, "maximum messages exceeded"));
    message_ids_[message.message_id] = time_.passed();
    items_[++last_sequence_] = {message.payload, 0, time_.passed(), time_.passed()};
    answer(message, stored(last_sequence_, false));
    wake(max_age);
    deliver();
}

void simulated_server::create_claim(const parcel& message)
{
    const auto known = claims_.find(message.subject);
    const bool is_there = known != claims_.end() && time_.passed() - known->second.made_at < claim_lifetime;
    const bool is_same = is_there && known->second.message_id == message.message_id &&
                         time_.passed() - known->second.made_at < duplicate_window;
    if (is_there && !is_same)
        return answer(message, error(400, 10071, "wrong last sequence: 1"));
    if (!is_there)
        claims_[message.subject] = {message.message_id, time_.passed()};
    answer(message, stored(1, is_same));
}

void simulated_server::open_pull(const parcel& message)
{
    const json::value asked = json::parse(message.payload);
    const virtual_time::duration expires(asked.at("expires").as_int64());
    pulls_.push_back({message.reply_to, asked.at("batch").to_number<std::size_t>(), time_.passed() + expires});
    wake(expires);
    deliver();
}

// $JS.ACK.STREAM.CONSUMER.DELIVERIES.SEQUENCE and three more, which count for nothing here.
void simulated_server::acknowledge(const parcel& message)
{
    const std::string_view behind =
        std::string_view(message.subject).substr(std::string_view("$JS.ACK.S.workers.").size());
    const std::uint64_t sequence = std::stoull(std::string(behind.substr(behind.find('.') + 1)));
    const auto found = items_.find(sequence);
    if (found == items_.end())
        return;
    if (message.payload.starts_with("+ACK") || message.payload.starts_with("+TERM")) {
        items_.erase(found);
        return;
    }
    virtual_time::duration delay = ack_wait;
    if (message.payload.starts_with("-NAK")) {
        const std::size_t begin = message.payload.find('{');
        delay = begin == std::string::npos
                    ? virtual_time::duration()
                    : virtual_time::duration(json::parse(message.payload.substr(begin)).at("delay").as_int64());
    }
    found->second.free_at = time_.passed() + delay;
    wake(delay);
}

void simulated_server::wake(virtual_time::duration delay)
{
    time_.after(delay, [this] { deliver(); });
}

void simulated_server::deliver()
{
    std::erase_if(items_, [&](const auto& one) { return time_.passed() - one.second.stored_at >= max_age; });
    if (!has_leader) {
        pulls_.clear();
        return;
    }
    for (auto one = pulls_.begin(); one != pulls_.end();) {
        const bool is_over = time_.passed() >= one->ends;
        if (is_over)
            network_.send({one->reply_to, {}, 408, {}, {}, false});
        while (!is_over && one->count > 0 && deliver_to(*one)) {
        }
        const bool is_served = one->count == 0 || !network_.has_subscriber(one->reply_to);
        one = is_over || is_served ? pulls_.erase(one) : std::next(one);
    }
}

bool simulated_server::deliver_to(pull& one)
{
    if (!network_.has_subscriber(one.reply_to))
        return false;
    for (auto& [sequence, item] : items_) {
        if (item.free_at > time_.passed())
            continue;
        ++item.deliveries;
        ++deliveries_;
        --one.count;
        item.free_at = time_.passed() + ack_wait;
        wake(ack_wait);
        const std::string ack =
            "$JS.ACK.S.workers." + std::to_string(item.deliveries) + '.' + std::to_string(sequence) + ".0.0.0";
        return network_.send({one.reply_to, ack, 0, item.payload, {}, false, "pl.q.tools"});
    }
    return false;
}

} // namespace partyline::test
