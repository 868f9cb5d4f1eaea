#include "mcp_extensions/tasks/task_record.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t most_keys = 1000; // in all rounds of a task

std::size_t text_bytes(std::string_view key, const json::value& value)
{
    return key.size() + json::serialize(value).size();
}

} // namespace

std::string_view to_string(task_status status) noexcept
{
    switch (status) {
    case task_status::working: return "working";
    case task_status::input_required: return "input_required";
    case task_status::completed: return "completed";
    case task_status::failed: return "failed";
    default: return "cancelled";
    }
}

task_record::task_record(std::string id, task_owner owner, std::string params, task_time now)
    : id_(std::move(id)), owner_(std::move(owner)), params_(std::move(params)), bytes_(params_.size()), created_(now),
      updated_(now.wall)
{
}

void task_record::on_message(std::string_view message, task_time now)
{
    if (has_ended())
        return;
    message_ = shortened(message);
    updated_ = now.wall;
}

// A client may know by the key what it has answered already (SEP-2663): a later question has another one.
std::string task_record::key_on_wire(const std::string& key, const json::object& others) const
{
    std::string wire = key;
    for (unsigned number = round_; used_keys_.contains(wire) || others.contains(wire); ++number)
        wire = key + '#' + std::to_string(number);
    return wire;
}

bool task_record::on_asked(task_questions asked, task_time now)
{
    if (used_keys_.size() + asked.requests.size() > most_keys)
        return false;
    std::set<std::string> used;
    std::map<std::string, std::string> keys;
    json::object requests;
    std::size_t bytes = params_.size() + asked.state.size();
    for (const json::key_value_pair& one : asked.requests) {
        const std::string key(one.key());
        const std::string wire = key_on_wire(key, requests);
        bytes += text_bytes(wire, one.value());
        used.insert(wire);
        requests[wire] = one.value();
        keys.emplace(wire, key);
    }
    json::object none;
    used_keys_.merge(used);
    keys_.swap(keys);
    requests_.swap(requests);
    answers_.swap(none);
    state_ = std::move(asked.state);
    bytes_ = bytes;
    run.reset();
    status_ = task_status::input_required;
    updated_ = now.wall;
    return true;
}

std::size_t task_record::bytes_of(const json::object& answers) const
{
    std::size_t bytes = 0;
    for (const json::key_value_pair& one : answers)
        if (requests_.contains(one.key()))
            bytes += text_bytes(one.key(), one.value());
    return bytes;
}

bool task_record::on_answers(const json::object& answers, task_time now)
{
    const std::size_t more = bytes_of(answers);
    if (status_ != task_status::input_required || more == 0)
        return false;
    json::object open = requests_;
    json::object all = answers_;
    for (const json::key_value_pair& one : answers)
        if (open.erase(one.key()) != 0)
            all[keys_.at(std::string(one.key()))] = one.value();
    requests_.swap(open);
    answers_.swap(all);
    bytes_ += more;
    updated_ = now.wall;
    if (!requests_.empty())
        return false;
    status_ = task_status::working;
    expires_.reset();
    ++round_;
    return true;
}

void task_record::on_result(std::string result, task_time now) noexcept
{
    if (has_ended())
        return;
    result_ = std::move(result);
    end(task_status::completed, now);
}

void task_record::on_error(std::optional<error_object> error, task_time now) noexcept
{
    if (has_ended())
        return;
    if (error)
        error_.emplace(std::move(*error));
    end(task_status::failed, now);
}

void task_record::on_cancel(task_time now) noexcept
{
    if (!has_ended())
        end(task_status::cancelled, now);
}

// What the tool was called by is not wanted any more.
void task_record::end(task_status how, task_time now) noexcept
{
    std::string().swap(params_);
    std::string().swap(state_);
    json::object().swap(requests_);
    json::object().swap(answers_);
    keys_.clear();
    used_keys_.clear();
    bytes_ = result_.size();
    run.reset();
    status_ = how;
    updated_ = now.wall;
}

// Of members that are there twice the last one counts, here as in any message.
std::string task_record::round_params() const
{
    if (round_ == 1)
        return params_;
    std::string text = params_.substr(0, params_.rfind('}'));
    text += text.find_last_not_of(" \t\r\n{") == text.npos ? R"("inputResponses":)" : R"(,"inputResponses":)";
    text += json::serialize(answers_);
    text += R"(,"requestState":)";
    text += state_.empty() ? "null" : state_;
    text += '}';
    return text;
}

json::object task_record::describe(std::chrono::milliseconds poll_interval) const
{
    json::object all{{"taskId", id_}, {"status", to_string(status_)}};
    if (!message_.empty())
        all["statusMessage"] = message_;
    all["createdAt"] = iso_time(created_.wall);
    all["lastUpdatedAt"] = iso_time(updated_);
    all["ttlMs"] = nullptr;
    if (expires_)
        all["ttlMs"] = std::chrono::ceil<std::chrono::milliseconds>(*expires_ - created_.steady).count();
    all["pollIntervalMs"] = poll_interval.count();
    return all;
}

std::string task_record::detail(std::chrono::milliseconds poll_interval) const
{
    json::object all = describe(poll_interval);
    if (status_ == task_status::input_required)
        all["inputRequests"] = requests_;
    else if (status_ == task_status::failed)
        all["error"] = error_value(error_);
    std::string text = json::serialize(all);
    if (status_ == task_status::completed) { // as the tool's call was answered, to the byte
        text.pop_back();
        text.append(R"(,"result":)").append(result_).push_back('}');
    }
    return text;
}

} // namespace partyline::mcp
