#include "support/heard.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace json = boost::json;

namespace partyline::test {

heard::heard(const std::vector<std::string>& lines)
{
    for (const std::string& line : lines) {
        boost::system::error_code failed;
        const json::value message = json::parse(line, failed);
        if (failed) {
            is_readable_ = false;
        } else if (message.is_array()) {
            for (const json::value& one : message.get_array())
                add(one);
        } else {
            add(message);
        }
    }
}

void heard::add(const json::value& message)
{
    if (!message.is_object()) {
        is_readable_ = false;
        return;
    }
    const json::object& members = message.get_object();
    const json::value* const id = members.if_contains("id");
    const bool is_answer = members.contains("result") != members.contains("error");
    if (id && is_answer) {
        const std::string text = json::serialize(message);
        if (id->is_null())
            unaddressed_.push_back(text);
        else
            answers_.emplace(json::serialize(*id), text);
        return;
    }
    if (!members.contains("method") || members.contains("result") || members.contains("error")) {
        is_readable_ = false;
        return;
    }
    const json::value* const params = members.if_contains("params");
    if (id) {
        calls_.insert(json::serialize(*id));
        return;
    }
    if (members.at("method") == "$/cancelRequest")
        return add_cancel(params->as_object());
    std::string source = params ? json::serialize(*params) : std::string();
    const bool has_members = params && params->is_object();
    if (const json::value* token = has_members ? params->get_object().if_contains("token") : nullptr) {
        source = json::serialize(*token);
        has_late_progress_ |= answers_.contains(source);
    }
    notifications_[source].push_back(json::serialize(message));
}

void heard::add_cancel(const json::object& params)
{
    const std::string id = json::serialize(params.at("id"));
    if (!calls_.contains(id) || !cancels_.insert(id).second)
        has_stray_cancel_ = true;
}

std::vector<std::string> heard::sorted_unaddressed() const
{
    std::vector<std::string> sorted = unaddressed_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

std::size_t heard::times_unaddressed(const std::string& text) const
{
    return static_cast<std::size_t>(std::count(unaddressed_.begin(), unaddressed_.end(), text));
}

} // namespace partyline::test
