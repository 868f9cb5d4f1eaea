#include "mcp_extensions/tasks/task_record.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <boost/json/serialize.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t most_keys = 1000;  // in all rounds of a task
constexpr std::size_t entry_bytes = 128; // of a question or an answer, besides its texts

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
std::string task_record::key_on_wire(const std::string& key, const std::set<std::string>& others) const
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
    std::vector<open_question> open;
    open.reserve(asked.requests.size());
    std::size_t key_bytes = used_key_bytes_;
    std::size_t bytes = params_.size() + asked.state.size();
    for (task_question& one : asked.requests) {
        const std::string& wire = *used.insert(key_on_wire(one.key, used)).first;
        key_bytes += wire.size() + entry_bytes;
        bytes += wire.size() + one.request.size() + entry_bytes;
        open.push_back({wire, one.key.size(), std::move(one.request)});
    }
    used_keys_.merge(used);
    used_key_bytes_ = key_bytes;
    open_.swap(open);
    answers_.clear();
    state_ = std::move(asked.state);
    bytes_ = bytes + key_bytes;
    run.reset();
    status_ = task_status::input_required;
    updated_ = now.wall;
    return true;
}

std::size_t task_record::bytes_of(const task_answers& answers) const noexcept
{
    std::size_t bytes = 0;
    for (const open_question& one : open_)
        if (const auto found = answers.find(one.wire_key); found != answers.end())
            bytes += found->first.size() + found->second.size() + entry_bytes;
    return bytes;
}

bool task_record::take_answer(const open_question& to, task_answers& from) noexcept
{
    task_answers::node_type answer = from.extract(to.wire_key);
    if (!answer)
        return false;
    answer.key().resize(to.key_size);
    answers_.insert(std::move(answer));
    return true;
}

// Nothing is copied, and so nothing fails.
bool task_record::on_answers(task_answers& answers, task_time now) noexcept
{
    const std::size_t more = bytes_of(answers);
    if (status_ != task_status::input_required || more == 0)
        return false;
    auto left = open_.begin();
    for (open_question& one : open_)
        if (!take_answer(one, answers))
            std::swap(*left++, one);
    open_.erase(left, open_.end());
    bytes_ += more;
    updated_ = now.wall;
    if (!open_.empty())
        return false;
    status_ = task_status::working;
    expires_.reset();
    ++round_;
    return true;
}

// What the tool was called by is not wanted any more.
void task_record::on_end(task_status how, std::string outcome, task_time now) noexcept
{
    if (has_ended())
        return;
    std::string().swap(params_);
    std::string().swap(state_);
    std::vector<open_question>().swap(open_);
    answers_.clear();
    used_keys_.clear();
    outcome_ = std::move(outcome);
    bytes_ = outcome_.size();
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
    char before = '{';
    for (const auto& [key, answer] : answers_) {
        text.append(1, before).append(quoted_text(key)).append(1, ':').append(answer);
        before = ',';
    }
    text += '}';
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

std::string task_record::open_requests() const
{
    std::string text;
    for (const open_question& one : open_)
        text.append(1, text.empty() ? '{' : ',').append(quoted_text(one.wire_key)).append(1, ':').append(one.request);
    return text + '}';
}

// A result stands there as the tool's call was answered, to the byte.
std::string task_record::detail(std::chrono::milliseconds poll_interval) const
{
    std::string text = json::serialize(describe(poll_interval));
    text.pop_back();
    if (status_ == task_status::input_required)
        text.append(R"(,"inputRequests":)").append(open_requests());
    else if (status_ == task_status::failed)
        text.append(R"(,"error":)").append(outcome_.empty() ? error_text(std::nullopt) : outcome_);
    else if (status_ == task_status::completed)
        text.append(R"(,"result":)").append(outcome_);
    return text + '}';
}

} // namespace partyline::mcp
