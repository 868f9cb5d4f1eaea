#include "mcp_extensions/tasks/task_record.hpp"

#include "mcp_extensions/tasks/task_texts.hpp"

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t most_keys = 1000;  // in all rounds of a task
constexpr std::size_t entry_bytes = 128; // of a question or an answer, besides its texts

} // namespace

std::string_view to_message(task_loss why) noexcept
{
    switch (why) {
    case task_loss::no_memory: return "The server has no memory for what the tool has returned";
    case task_loss::not_called: return "The server could not call the tool with the answers";
    case task_loss::abandoned: return "The server has abandoned the call of the tool";
    case task_loss::no_reply: return "The call of the tool has ended without a reply";
    default: return "The server could not read what the tool has returned";
    }
}

// Of members that are there twice the last one counts, here as in any message.
std::string task_round::text() const
{
    std::string text = params->substr(0, params->rfind('}'));
    text += text.find_last_not_of(" \t\r\n{") == text.npos ? R"("inputResponses":)" : R"(,"inputResponses":)";
    char before = '{';
    for (const auto& [key, answer] : answers) {
        text.append(1, before).append(quoted_text(key)).append(1, ':').append(answer);
        before = ',';
    }
    text += '}';
    text += R"(,"requestState":)";
    text += state.empty() ? "null" : state;
    text += '}';
    return text;
}

task_record::task_record(std::string id, task_owner owner, std::string params, task_time now)
    : id_(std::move(id)), owner_(std::move(owner)), params_(std::make_shared<const std::string>(std::move(params))),
      bytes_(params_->size()), created_(now), updated_(now.wall)
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
    std::size_t bytes = params_->size() + asked.state.size();
    for (task_question& one : asked.requests) {
        const std::string& wire = *used.insert(key_on_wire(one.key, used)).first;
        key_bytes += wire.size() + entry_bytes;
        bytes += wire.size() + one.request.size() + entry_bytes;
        open.push_back({wire, one.key.size(), std::make_shared<const std::string>(std::move(one.request))});
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
void task_record::on_end(task_status how, shared_text outcome, task_time now) noexcept
{
    if (has_ended())
        return;
    params_.reset();
    std::string().swap(state_);
    std::vector<open_question>().swap(open_);
    answers_.clear();
    used_keys_.clear();
    outcome_ = std::move(outcome);
    bytes_ = outcome_ ? outcome_->size() : 0;
    run.reset();
    status_ = how;
    updated_ = now.wall;
}

void task_record::on_lost(task_loss why, task_time now) noexcept
{
    if (has_ended())
        return;
    on_end(task_status::failed, {}, now);
    loss_ = why;
}

task_round task_record::take_round() noexcept
{
    task_round taken{round_, params_, {}, {}};
    taken.answers.swap(answers_);
    taken.state.swap(state_);
    return taken;
}

json::object task_record::describe(std::chrono::milliseconds poll_interval) const
{
    json::object all{{"taskId", id_}, {"status", to_string(status_)}};
    if (loss_)
        all["statusMessage"] = to_message(*loss_);
    else if (!message_.empty())
        all["statusMessage"] = message_;
    all["createdAt"] = iso_time(created_.wall);
    all["lastUpdatedAt"] = iso_time(updated_);
    all["ttlMs"] = nullptr;
    if (expires_)
        all["ttlMs"] = std::chrono::ceil<std::chrono::milliseconds>(*expires_ - created_.steady).count();
    all["pollIntervalMs"] = poll_interval.count();
    return all;
}

task_detail task_record::detail(std::chrono::milliseconds poll_interval) const
{
    task_detail all{describe(poll_interval), status_, {}, outcome_};
    all.questions.reserve(open_.size());
    for (const open_question& one : open_)
        all.questions.push_back({one.wire_key, one.request});
    return all;
}

} // namespace partyline::mcp
