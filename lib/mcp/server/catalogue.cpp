#include "mcp/server/catalogue.hpp"

#include "mcp/server/features/resource.hpp"
#include "mcp/server/protocol_methods.hpp"
#include "mcp/server/result_envelope.hpp"
#include "mcp/wire/methods.hpp"
#include "mcp/wire/resource_key.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

struct list_names {
    std::string_view method;
    std::string_view member;
};

list_names names_of(feature_kind kind) noexcept
{
    switch (kind) {
    case feature_kind::tool: return {methods::list_tools, "tools"};
    case feature_kind::resource: return {methods::list_resources, "resources"};
    case feature_kind::resource_template: return {methods::list_templates, "resourceTemplates"};
    case feature_kind::prompt: break;
    }
    return {methods::list_prompts, "prompts"};
}

std::string_view method_of(feature_kind kind) noexcept
{
    switch (kind) {
    case feature_kind::tool: return methods::call_tool;
    case feature_kind::prompt: return methods::get_prompt;
    default: return methods::read_resource;
    }
}

// What is after the entry of a list whose number is `behind`.
class page_writer {
public:
    page_writer(feature_kind kind, revision r, const server_facts& server, const list_cursors& cursors,
                const access_view* by) noexcept
        : kind_(kind), r_(r), server_(server), cursors_(cursors), by_(by), names_(names_of(kind))
    {
    }

    std::string write(const std::vector<feature_ptr>& all, std::uint64_t behind)
    {
        out_.append("{\"");
        out_.append(names_.member);
        out_.append("\":[");
        for (const feature_ptr& one : all)
            if (one->kind() == kind_ && one->number() > behind && !is_hidden(by_, kind_, one->key()) && !add(*one))
                break;
        out_.push_back(']');
        if (has_more_)
            out_.append(",\"nextCursor\":\"" + cursors_.make(names_.method, last_) + '"');
        out_.push_back('}');
        if (era_of(r_) == era::modern)
            add_envelope(out_,
                         {.cache = cache_rule{server_.options.list_lifetime, server_.options.are_lists_public && !by_}},
                         server_);
        return std::string(out_.view());
    }

private:
    // False when the page is full.
    bool add(const detail::feature& one)
    {
        has_more_ = server_.options.page_size != 0 && count_ == server_.options.page_size;
        if (has_more_)
            return false;
        if (count_++ != 0)
            out_.push_back(',');
        one.describe(out_, r_);
        last_ = one.number();
        return true;
    }

    const feature_kind kind_;
    const revision r_;
    const server_facts& server_;
    const list_cursors& cursors_;
    const access_view* const by_;
    const list_names names_;
    byte_buffer out_;
    std::size_t count_ = 0;
    std::uint64_t last_ = 0;
    bool has_more_ = false;
};

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
                     completer_map completers, feature_marks ever)
    : server_(std::move(server)), enabled_(std::move(enabled)), completers_(std::move(completers)), ever_(ever),
      without_memory_(make_failing_method())
{
    for (const feature_ptr& one : enabled_)
        by_key_[static_cast<std::size_t>(one->kind())].emplace(one->key(), one.get());
    for (std::unique_ptr<method>& one : make_protocol_methods(*this)) {
        const std::string_view name = one->name;
        methods_.emplace(name, std::move(one));
    }
}

catalogue::~catalogue() = default;

const method* catalogue::find(std::string_view name) const noexcept
{
    const auto found = methods_.find(name);
    return found == methods_.end() ? nullptr : found->second.get();
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
        return *without_memory_;
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

json::object catalogue::capabilities(revision r) const
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
    return all;
}

std::shared_ptr<const std::string> catalogue::page(feature_kind kind, revision r, const std::string* cursor,
                                                   const std::shared_ptr<const access_view>& by) const
{
    const std::shared_ptr<const list_cursors> cursors = server_->state.cursors();
    std::uint64_t behind = 0;
    if (cursor) {
        const std::optional<std::uint64_t> issued = cursors->read(names_of(kind).method, *cursor);
        if (!issued)
            return nullptr;
        behind = *issued;
    }
    const page_key what{kind, r, behind};
    if (by)
        return page_for(what, by, cursors);
    restricted_pages gone;
    const std::lock_guard lock(mutex_);
    gone = keep_pages_of(cursors);
    std::shared_ptr<const std::string>& kept = pages_[what];
    if (!kept)
        kept = std::make_shared<const std::string>(
            page_writer(kind, r, *server_, *cursors, nullptr).write(enabled_, behind));
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
                                                       const std::shared_ptr<const list_cursors>& cursors) const
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
    page_writer writer(what.kind, what.of, *server_, *cursors, by.get());
    auto text = std::make_shared<const std::string>(writer.write(enabled_, what.behind));
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
