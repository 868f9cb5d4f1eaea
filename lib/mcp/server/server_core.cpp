#include "mcp/server/server_core.hpp"

#include "mcp/server/sessions/server_lifecycle.hpp"
#include "mcp/server/sessions/topic_core.hpp"

#include <partyline/protocol/printable.hpp>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

const char* word_for(feature_kind kind) noexcept
{
    switch (kind) {
    case feature_kind::tool: return "tool";
    case feature_kind::resource: return "resource";
    case feature_kind::resource_template: return "template";
    case feature_kind::prompt: break;
    }
    return "prompt";
}

// Compares each pair: an extension has few topics.
void check_topics(std::string_view of, const std::vector<listen_topic>& known, const std::vector<listen_topic>& added)
{
    const auto member_of = [](const listen_topic& one) { return one.core()->names().member; };
    for (const listen_topic& one : added)
        for (const listen_topic& other : known)
            if (&one != &other && member_of(one) == member_of(other))
                throw std::invalid_argument("the extension \"" + std::string(of) + "\": it has the topic \"" +
                                            printable(member_of(one)) + "\" already");
}

} // namespace

std::shared_ptr<lifecycle> server_core::session_profile::make_lifecycle() const
{
    return std::make_shared<server_lifecycle>(of_.shared_from_this());
}

server_core::server_core(std::string name, std::string version, server_options options)
    : facts_(std::make_shared<server_facts>(std::move(name), std::move(version), std::move(options)))
{
}

std::uint64_t server_core::add(feature_ptr added)
{
    byte_buffer shown; // what can't be shown is found here, and not when somebody asks
    added->describe(shown, newest_modern);
    added->belong_to(*facts_);
    const feature_kind kind = added->kind();
    std::uint64_t number = 0;
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        for (const entry& known : entries_)
            if (known.what->kind() == kind && known.what->key() == added->key())
                throw std::invalid_argument("there is a " + std::string(word_for(kind)) + " \"" + added->key() +
                                            "\" already");
        told = listeners();
        number = ++last_number_;
        added->set_number(number);
        entries_.push_back({std::move(added)}); // the last that may fail
        ever_[static_cast<std::size_t>(kind)] = true;
        note_change();
    }
    tell_changed(told, kind);
    return number;
}

std::vector<server_core::entry>::iterator server_core::find(std::uint64_t number)
{
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const entry& known) { return known.what->number() == number; });
}

void server_core::enable(std::uint64_t number, bool is_enabled)
{
    feature_kind kind{};
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        const auto found = find(number);
        if (found == entries_.end() || found->is_enabled == is_enabled)
            return;
        told = listeners();
        found->is_enabled = is_enabled;
        kind = found->what->kind();
        note_change();
    }
    tell_changed(told, kind);
}

void server_core::remove(std::uint64_t number)
{
    feature_kind kind{};
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        const auto found = find(number);
        if (found == entries_.end())
            return;
        told = listeners();
        kind = found->what->kind();
        entries_.erase(found);
        note_change();
    }
    tell_changed(told, kind);
}

void server_core::complete(std::string of, std::string argument, completer by)
{
    if (!by)
        throw std::invalid_argument("the function is empty");
    const std::lock_guard lock(mutex_);
    const bool is_known = std::any_of(entries_.begin(), entries_.end(), [&](const entry& known) {
        return known.what->key() == of && known.what->completes(argument);
    });
    if (!is_known)
        throw std::invalid_argument("there is no prompt or template \"" + of + "\" that has \"" + argument + '"');
    completers_[{std::move(of), std::move(argument)}] = std::make_shared<const completer>(std::move(by));
    note_change();
}

void server_core::add(extension_ptr added)
{
    check_topics(added->name(), added->topics(), added->topics());
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        for (const extension_ptr& known : extensions_) {
            require_different(*known, *added);
            check_topics(known->name(), known->topics(), added->topics());
        }
        told = listeners();
        extensions_.push_back(std::move(added)); // the last that may fail
        note_change();
    }
    for (const std::shared_ptr<change_listener>& one : told)
        one->on_methods_changed();
}

void server_core::note_change() noexcept
{
    has_replaced_ = has_replaced_ || current_;
    current_ = nullptr;
}

bool server_core::has_replaced_methods()
{
    const std::lock_guard lock(mutex_);
    return has_replaced_;
}

std::shared_ptr<const catalogue> server_core::methods()
{
    const std::lock_guard lock(mutex_);
    if (current_)
        return current_;
    std::vector<feature_ptr> enabled;
    for (const entry& known : entries_)
        if (known.is_enabled)
            enabled.push_back(known.what);
    current_ = std::make_shared<const catalogue>(facts_, std::move(enabled), completers_, ever_, extensions_);
    return current_;
}

json::object server_core::greeting(revision r, const access_view* by)
{
    json::object result{{"protocolVersion", json::string(to_string(r))},
                        {"capabilities", methods()->capabilities(r, by)},
                        {"serverInfo", facts_->info_of(r)}};
    if (!facts_->options.instructions.empty())
        result["instructions"] = facts_->options.instructions;
    return result;
}

void server_core::join(std::weak_ptr<change_listener> added)
{
    const std::lock_guard lock(mutex_);
    if (listeners_.size() >= sweep_at_) {
        std::erase_if(listeners_, [](const auto& known) { return known.expired(); });
        sweep_at_ = std::max(least_sweep, 2 * listeners_.size());
    }
    listeners_.push_back(std::move(added));
}

// While the mutex is held. Before what they are told of, so that a change of which nobody can be told is none.
server_core::listener_list server_core::listeners() const
{
    listener_list all;
    all.reserve(listeners_.size());
    for (const auto& known : listeners_)
        if (std::shared_ptr<change_listener> still = known.lock())
            all.push_back(std::move(still));
    return all;
}

void server_core::tell_changed(const listener_list& told, feature_kind of) noexcept
{
    for (const std::shared_ptr<change_listener>& one : told)
        one->on_list_changed(of);
}

void server_core::tell_resources_changed()
{
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        told = listeners();
    }
    tell_changed(told, feature_kind::resource);
}

// One that has no memory for it does not keep it from others.
void server_core::tell_updated(const std::string& uri)
{
    listener_list told;
    {
        const std::lock_guard lock(mutex_);
        told = listeners();
    }
    std::exception_ptr failed;
    for (const std::shared_ptr<change_listener>& one : told)
        try {
            one->on_resource_updated(uri);
        } catch (...) {
            failed = std::current_exception();
        }
    if (failed)
        std::rethrow_exception(failed);
}

} // namespace partyline::mcp
