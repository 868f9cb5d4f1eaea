#include "mcp/server/catalogue.hpp"

#include "mcp/server/features/resource.hpp"
#include "mcp/server/list_page.hpp"
#include "mcp/server/protocol_methods.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/resource_key.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::string_view method_of(feature_kind kind) noexcept
{
    switch (kind) {
    case feature_kind::tool: return methods::call_tool;
    case feature_kind::prompt: return methods::get_prompt;
    default: return methods::read_resource;
    }
}

} // namespace

access_verdict judge(const access_view* by, feature_kind kind, std::string_view key)
{
    if (!by)
        return {};
    if (kind == feature_kind::tool || kind == feature_kind::prompt || key.find('%') == std::string_view::npos)
        return by->judge(method_of(kind), key);
    return by->judge(method_of(kind), resource_key(key));
}

bool is_hidden(const access_view* by, feature_kind kind, std::string_view key)
{
    return judge(by, kind, key).is == access_answer::hidden;
}

void require_scope(const access_verdict& verdict)
{
    if (verdict.is == access_answer::lacks_scope)
        throw rpc_error(insufficient_scope(verdict.required));
}

catalogue::catalogue(std::shared_ptr<const server_facts> server, std::vector<feature_ptr> enabled,
                     completer_map completers, feature_marks ever, std::vector<extension_ptr> extensions)
    : server_(std::move(server)), enabled_(std::move(enabled)), completers_(std::move(completers)), ever_(ever),
      extensions_(std::move(extensions)), groups_(make_groups(*this)), methods_(make_protocol_methods(*this)),
      without_memory_(make_failing_method())
{
    for (const feature_ptr& one : enabled_) {
        by_key_[static_cast<std::size_t>(one->kind())].emplace(one->key(), one.get());
        has_listed_ = has_listed_ || mcp::has_listed(feature_kind::resource, *one);
    }
}

const method* catalogue::find(std::string_view name) const noexcept
{
    for (const method& group : groups_)
        if (group.name == name)
            return &group;
    if (const method* const known = methods_.find(name))
        return known;
    for (const extension_ptr& one : extensions_)
        if (const method* const known = one->methods().find(name))
            return known;
    return nullptr;
}

const method& catalogue::select(const method& group, const message&, message_reader& reader) const noexcept
{
    const detail::feature* meant = nullptr;
    try {
        std::string_view key;
        std::string memory;
        if (group.name == methods::read_resource)
            meant = read_string(reader.find_param("uri"), key, memory) ? find_by_uri(key) : nullptr;
        else if (read_string(reader.find_param("name"), key, memory))
            meant = find(group.name == methods::call_tool ? feature_kind::tool : feature_kind::prompt, key);
    } catch (const std::bad_alloc&) { // of a name with escapes, or a template's variables
        return without_memory_;
    }
    return meant ? meant->method() : group;
}

std::string catalogue::key(const method& group, const message&, message_reader& reader) const
{
    const bool is_uri = group.name == methods::read_resource;
    std::string_view name;
    std::string memory;
    if (!read_string(reader.find_param(is_uri ? "uri" : "name"), name, memory))
        return {};
    return is_uri ? resource_key(name) : std::string(name);
}

feature_marks catalogue::different_lists(const access_view* one, const access_view* other) const
{
    feature_marks differs{};
    differs[static_cast<std::size_t>(feature_kind::resource)] = has_listed_ && one != other; // who knows what is listed
    for (const feature_ptr& each : enabled_) {
        bool& is_noted = differs[static_cast<std::size_t>(each->kind())];
        is_noted = is_noted || is_hidden(one, each->kind(), each->key()) != is_hidden(other, each->kind(), each->key());
    }
    return differs;
}

const detail::feature* catalogue::find(feature_kind kind, std::string_view key) const noexcept
{
    const auto& known = by_key_[static_cast<std::size_t>(kind)];
    const auto found = known.find(key);
    return found == known.end() ? nullptr : found->second;
}

// A template that was added earlier goes before others.
const detail::feature* catalogue::find_by_uri(std::string_view uri) const
{
    if (const detail::feature* const known = find(feature_kind::resource, uri))
        return known;
    for (const feature_ptr& one : enabled_)
        if (one->kind() == feature_kind::resource_template && static_cast<const resource_template&>(*one).fits(uri))
            return one.get();
    return nullptr;
}

const completer* catalogue::find_completer(const std::string& of, const std::string& argument) const
{
    const auto found = completers_.find({of, argument});
    return found == completers_.end() ? nullptr : found->second.get();
}

json::object catalogue::capabilities(revision r, const access_view* by) const
{
    json::object all{{"logging", json::object()}};
    const json::object changes{{"listChanged", true}};
    if (has(feature_kind::tool))
        all["tools"] = changes;
    if (has(feature_kind::prompt))
        all["prompts"] = changes;
    if (has_resources())
        all["resources"] = json::object{{"subscribe", true}, {"listChanged", true}};
    if (has_completions() && r >= revision::v2025_03_26)
        all["completions"] = json::object();
    json::object declared;
    for (const extension_ptr& one : extensions_)
        if (one->is_offered(r, by))
            declared[one->name()] = one->settings();
    if (!declared.empty())
        all["extensions"] = std::move(declared);
    return all;
}

std::shared_ptr<const std::string> catalogue::page(feature_kind kind, revision r,
                                                   const std::optional<std::string>& cursor,
                                                   request_context& asked_by) const
{
    const std::shared_ptr<const access_view> by = asked_by.access();
    const std::shared_ptr<const list_cursors> cursors = server_->state.cursors();
    std::uint64_t behind = 0;
    if (cursor) {
        const std::optional<std::uint64_t> issued = cursors->read(names_of(kind).method, *cursor);
        if (!issued)
            return nullptr;
        behind = *issued;
    }
    const page_key what{kind, r, behind};
    const wanted_page wanted{kind, r, behind, by.get()};
    const auto write = [&] {
        return std::make_shared<const std::string>(write_list_page(wanted, *this, *cursors, asked_by));
    };
    if (has_listed(kind))
        return write(); // none is kept: what is listed may be another thing each time
    if (by)
        return page_for(what, by, cursors, write);
    restricted_pages gone;
    const std::lock_guard lock(mutex_);
    gone = keep_pages_of(cursors);
    std::shared_ptr<const std::string>& kept = pages_[what];
    if (!kept)
        kept = write();
    return kept;
}

// While the mutex is held. What others have signed may not be good any more. Their views go when it is free.
catalogue::restricted_pages catalogue::keep_pages_of(const std::shared_ptr<const list_cursors>& cursors) const noexcept
{
    if (signed_by_ == cursors)
        return {};
    pages_.clear();
    oldest_restricted_ = 0;
    signed_by_ = cursors;
    return std::exchange(restricted_pages_, {});
}

// Some are kept, the newest ones: a view is asked of each entry, and clients ask again. Views are users' code, which is
// not called under the lock.
std::shared_ptr<const std::string> catalogue::page_for(const page_key& what,
                                                       const std::shared_ptr<const access_view>& by,
                                                       const std::shared_ptr<const list_cursors>& cursors,
                                                       const page_function& write) const
{
    constexpr std::size_t most = 64;
    restricted_pages gone;
    {
        const std::lock_guard lock(mutex_);
        gone = keep_pages_of(cursors);
        for (const restricted_page& one : restricted_pages_)
            if (one.what == what && one.by == by)
                return one.text;
    }
    const std::shared_ptr<const std::string> text = write();
    restricted_page made{what, by, text}; // and then the one that it takes the place of
    const std::lock_guard lock(mutex_);
    if (signed_by_ != cursors) // replaced meanwhile
        return text;
    if (restricted_pages_.size() < most)
        restricted_pages_.push_back(std::move(made));
    else
        std::swap(restricted_pages_[oldest_restricted_++ % most], made);
    return text;
}

} // namespace partyline::mcp
