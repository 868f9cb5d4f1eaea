#include "mcp/client/result_cache.hpp"

#include "mcp/wire/methods.hpp"
#include "mcp/wire/resource_key.hpp"
#include "protocol/json/read_string.hpp"
#include "protocol/message/whole_number.hpp"
#include "session/calls/object_text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace partyline::mcp {
namespace {

// `server/discover` is not among them: it is asked to find out whether the server is there.
constexpr std::array<std::string_view, 5> kept_methods = {methods::list_tools, methods::list_prompts,
                                                          methods::list_resources, methods::list_templates,
                                                          methods::read_resource};
constexpr std::size_t no_kind = kept_methods.size();
constexpr std::size_t kind_of_reads = 4;
static_assert(kept_methods[kind_of_reads] == methods::read_resource);

std::size_t kept_kind(std::string_view method) noexcept
{
    const auto found = std::find(kept_methods.begin(), kept_methods.end(), method);
    return static_cast<std::size_t>(std::distance(kept_methods.begin(), found));
}

std::string key_of(std::string_view method, std::string_view members)
{
    std::string key(method);
    key.append(" ").append(members);
    return key;
}

std::string kept_member(const std::string& members, std::string_view name)
{
    return member_of('{' + members + '}', name);
}

std::string kept_resource(const std::string& members)
{
    const std::string text = kept_member(members, "uri");
    std::string_view uri;
    std::string memory;
    return read_string(json_view::checked(text), uri, memory) ? resource_key(uri) : std::string();
}

// 0: it is not to be kept. (Of other numbers than whole ones from 0 on `whole_number` makes 0.)
std::chrono::milliseconds lifetime_of(const json_text& result)
{
    constexpr auto most = static_cast<std::uint64_t>(result_cache::longest_lifetime.count());
    return std::chrono::milliseconds(std::min(whole_number(member_of(result.text(), "ttlMs")), most));
}

// Each cursor leads to a page that follows one of the same list.
bool is_first_page(std::size_t kind, const std::string& members) noexcept
{
    return kind != kind_of_reads && members.find("\"cursor\"") == members.npos;
}

// Such a request goes on with what the server has asked before.
bool has_answers(const std::string& members)
{
    return !kept_member(members, "inputResponses").empty() || !kept_member(members, "requestState").empty();
}

bool is_separator(char c) noexcept
{
    return c == '/' || c == '?' || c == '#';
}

bool is_at_or_below(std::string_view uri, std::string_view top) noexcept
{
    if (!uri.starts_with(top))
        return false;
    return uri.size() == top.size() || (!top.empty() && is_separator(top.back())) || is_separator(uri[top.size()]);
}

} // namespace

std::optional<json_text> result_cache::find(std::string_view method, std::string_view members, clock::time_point now)
{
    if (entries_.empty() || kept_kind(method) == no_kind)
        return std::nullopt;
    const auto found = by_key_.find(key_of(method, members));
    if (found == by_key_.end())
        return std::nullopt;
    const entries::iterator known = found->second;
    if (known->end <= now) {
        erase(known);
        return std::nullopt;
    }
    entries_.splice(entries_.begin(), entries_, known);
    return known->result;
}

std::uint64_t result_cache::begin(std::string_view method, const std::string& members) noexcept
{
    const std::size_t kind = kept_kind(method);
    if (kind == no_kind)
        return 0;
    if (is_first_page(kind, members))
        drop_kind(kind);
    return generations_[kind];
}

std::uint64_t result_cache::on_reply(std::string_view method, const std::string& members, std::uint64_t begun) noexcept
{
    const std::size_t kind = kept_kind(method);
    if (kind == no_kind || !is_first_page(kind, members))
        return begun;
    const bool is_outdated = generations_[kind] != begun;
    drop_kind(kind);
    return is_outdated ? begun : generations_[kind];
}

void result_cache::keep(std::string_view method, const std::string& members, std::uint64_t begun,
                        const json_text& result, clock::time_point now) noexcept
{
    const std::size_t kind = kept_kind(method);
    if (max_bytes_ == 0 || kind == no_kind || generations_[kind] != begun)
        return;
    try {
        const std::chrono::milliseconds lifetime = lifetime_of(result);
        std::string resource = kind == kind_of_reads ? kept_resource(members) : std::string();
        const bool is_known = kind != kind_of_reads || !resource.empty(); // what changes of it concern
        if (is_known && lifetime != std::chrono::milliseconds(0) && result.text().size() <= max_bytes_ / 4 &&
            !has_answers(members))
            add({kind, key_of(method, members), std::move(resource), result, now + lifetime});
    } catch (...) { // no memory: it is asked for anew
    }
}

void result_cache::add(entry made)
{
    const std::size_t bytes = made.bytes();
    if (bytes > max_bytes_ / 4)
        return;
    if (const auto former = by_key_.find(made.key); former != by_key_.end())
        erase(former->second);
    entries one;
    one.push_front(std::move(made));
    by_key_.emplace(one.front().key, one.begin());
    entries_.splice(entries_.begin(), one);
    bytes_ += bytes;
    while (bytes_ > max_bytes_)
        erase(std::prev(entries_.end()));
}

void result_cache::erase(entries::iterator which) noexcept
{
    bytes_ -= which->bytes();
    by_key_.erase(which->key);
    entries_.erase(which);
}

template <class Predicate>
void result_cache::erase_if(const Predicate& is_unwanted) noexcept
{
    for (auto one = entries_.begin(); one != entries_.end();) {
        const auto here = one++;
        if (is_unwanted(*here))
            erase(here);
    }
}

void result_cache::drop_kind(std::size_t kind) noexcept
{
    ++generations_[kind];
    erase_if([&](const entry& one) { return one.kind == kind; });
}

void result_cache::drop(std::string_view method) noexcept
{
    if (const std::size_t kind = kept_kind(method); kind != no_kind)
        drop_kind(kind);
}

void result_cache::drop_resources() noexcept
{
    for (const std::string_view method : {methods::list_resources, methods::list_templates, methods::read_resource})
        drop(method);
}

// All that is under way is taken for outdated, whichever resource it is of.
void result_cache::drop_resource(std::string_view uri) noexcept
{
    std::string changed;
    try {
        changed = resource_key(uri);
    } catch (...) { // no memory
        return drop_kind(kind_of_reads);
    }
    ++generations_[kind_of_reads];
    erase_if([&](const entry& one) {
        return one.kind == kind_of_reads &&
               (is_at_or_below(one.resource, changed) || is_at_or_below(changed, one.resource));
    });
}

void result_cache::clear() noexcept
{
    for (const std::string_view method : kept_methods)
        drop(method);
}

} // namespace partyline::mcp
