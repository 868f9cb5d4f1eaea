#include "fleet/wire/jetstream.hpp"

#include "fleet/wire/names.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace partyline::fleet {
namespace {

namespace json = boost::json;

constexpr std::size_t max_answer_bytes = std::size_t(64) << 10;
constexpr std::size_t max_description_bytes = 200;

// Error codes of JetStream (server/errors.json).
constexpr int message_too_large = 10054;
constexpr int wrong_last_sequence = 10071;
constexpr int wrong_last_sequence_constant = 10164; // newer servers
constexpr int store_failed = 10077;

struct found_error {
    bool is_error = false;
    int status = 0;
    int code = 0;
    std::string description;
};

std::string_view text_at(const json::object& object, std::string_view name)
{
    const json::value* const value = object.if_contains(name);
    return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

int number_at(const json::object& object, std::string_view name)
{
    const json::value* const value = object.if_contains(name);
    const bool is_number = value && value->is_int64() && value->get_int64() >= 0 && value->get_int64() < 1'000'000;
    return is_number ? static_cast<int>(value->get_int64()) : 0;
}

// Of what a stream has kept; a stream that has lived long has large ones.
bool has_sequence(const json::object& object)
{
    const json::value* const value = object.if_contains("seq");
    return value && ((value->is_int64() && value->get_int64() > 0) || value->is_uint64());
}

// Nothing where it is no object.
json::object read_object(std::string_view payload)
{
    json::error_code error;
    if (payload.size() > max_answer_bytes)
        return {};
    json::value value = json::parse(payload, error);
    return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

found_error error_of(const json::object& answer)
{
    found_error found;
    const json::value* const error = answer.if_contains("error");
    if (!error)
        return found;
    found.is_error = true;
    if (!error->is_object())
        return found;
    found.status = number_at(error->get_object(), "code");
    found.code = number_at(error->get_object(), "err_code");
    found.description = text_at(error->get_object(), "description").substr(0, max_description_bytes);
    return found;
}

stream_answer::kind kind_of(const found_error& error)
{
    using kind = stream_answer::kind;
    const std::string_view text = error.description;
    switch (error.code) {
    case message_too_large: return kind::too_large;
    case wrong_last_sequence:
    case wrong_last_sequence_constant: return kind::exists;
    case store_failed:
        // "maximum messages exceeded", "maximum bytes exceeded"; a disk that is full is another matter.
        return text.starts_with("maximum ") && text.ends_with(" exceeded") ? kind::full : kind::not_ready;
    default: return kind::not_ready;
    }
}

std::int64_t nanoseconds(std::chrono::nanoseconds time)
{
    return time.count();
}

json::object common_settings(const queue_settings& settings, std::chrono::seconds max_age)
{
    json::object config;
    config["num_replicas"] = settings.replicas;
    config["storage"] = "file";
    config["discard"] = "new";
    config["max_age"] = nanoseconds(max_age);
    config["duplicate_window"] = nanoseconds(std::min(settings.duplicates, max_age));
    return config;
}

} // namespace

stream_answer read_stream_answer(const bus_message& message)
{
    stream_answer answer;
    if (message.status != 0) {
        answer.is = message.status == no_responders ? stream_answer::kind::no_stream : stream_answer::kind::not_ready;
        return answer;
    }
    const json::object read = read_object(message.payload);
    found_error error = error_of(read);
    if (error.is_error) {
        answer.is = kind_of(error);
        answer.description = std::move(error.description);
    } else if (!text_at(read, "stream").empty() && has_sequence(read)) {
        const json::value* const duplicate = read.if_contains("duplicate");
        const bool is_duplicate = duplicate && duplicate->is_bool() && duplicate->get_bool();
        answer.is = is_duplicate ? stream_answer::kind::duplicate : stream_answer::kind::stored;
    }
    return answer;
}

std::string pull_request(std::size_t count, std::chrono::nanoseconds expires)
{
    return "{\"batch\":" + std::to_string(count) + ",\"expires\":" + std::to_string(expires.count()) + '}';
}

std::string ack_back(std::chrono::nanoseconds delay)
{
    if (delay.count() == 0)
        return "-NAK";
    return "-NAK {\"delay\":" + std::to_string(delay.count()) + '}';
}

api_request create_queue(std::string_view service, const queue_settings& settings)
{
    const std::string name = stream_name(service);
    json::object config = common_settings(settings, settings.max_age);
    config["name"] = name;
    config["subjects"] = {queue_subject(service)};
    config["retention"] = "workqueue";
    config["max_msgs"] = settings.max_items;
    config["max_bytes"] = settings.max_bytes;
    return {"$JS.API.STREAM.CREATE." + name, json::serialize(config)};
}

api_request create_consumer(std::string_view service, const queue_settings& settings)
{
    const std::string stream = stream_name(service);
    json::object config;
    config["durable_name"] = consumer_name;
    config["deliver_policy"] = "all";
    config["replay_policy"] = "instant";
    config["ack_policy"] = "explicit";
    config["ack_wait"] = nanoseconds(settings.ack_wait);
    config["max_deliver"] = -1; // a consumer says nothing of what it gives up: workers count
    config["max_ack_pending"] = settings.max_ack_pending;
    config["max_waiting"] = settings.max_waiting;
    json::object request;
    request["stream_name"] = stream;
    request["config"] = std::move(config);
    return {"$JS.API.CONSUMER.DURABLE.CREATE." + stream + '.' + std::string(consumer_name), json::serialize(request)};
}

api_request create_bucket(std::string_view name, std::chrono::seconds lifetime, const queue_settings& settings)
{
    const std::string stream = "KV_" + std::string(name);
    json::object config = common_settings(settings, lifetime);
    config["name"] = stream;
    config["subjects"] = {"$KV." + std::string(name) + ".>"};
    config["retention"] = "limits";
    config["max_msgs_per_subject"] = 1;
    config["allow_rollup_hdrs"] = true;
    config["deny_delete"] = true;
    config["allow_direct"] = true;
    return {"$JS.API.STREAM.CREATE." + stream, json::serialize(config)};
}

api_answer read_api_answer(const bus_message& message)
{
    api_answer answer;
    if (message.status != 0) {
        answer.description = message.status == no_responders ? "JetStream is not there" : "the server has refused it";
        return answer;
    }
    const json::object read = read_object(message.payload);
    found_error error = error_of(read);
    answer.is_ok = !error.is_error && text_at(read, "type").starts_with("io.nats.jetstream.api.");
    answer.error_code = error.code;
    answer.description = answer.is_ok || error.is_error ? std::move(error.description) : "not JetStream's answer";
    return answer;
}

} // namespace partyline::fleet
