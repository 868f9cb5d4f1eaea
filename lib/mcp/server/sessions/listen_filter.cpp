#include "mcp/server/sessions/listen_filter.hpp"

#include "mcp/server/sessions/session_client.hpp"
#include "mcp/wire/refusals.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

[[noreturn]] void refuse_member(const topic& about, std::string_view expected)
{
    throw rpc_error(invalid_params("notifications." + std::string(about.member), expected));
}

key_set read_flag(const topic& about, const json::value& said)
{
    if (!said.is_bool())
        refuse_member(about, "boolean");
    return said.get_bool() ? key_set{std::string()} : key_set();
}

key_set read_list(const topic& about, const json::value& said, std::size_t most)
{
    const json::array* const all = said.if_array();
    if (!all)
        refuse_member(about, "array of strings");
    key_set keys;
    for (const json::value& one : *all) {
        if (!one.is_string())
            refuse_member(about, "array of strings");
        keys.emplace(one.get_string());
    }
    if (keys.size() > most)
        refuse_member(about, "array of at most " + std::to_string(most) + " elements");
    return keys;
}

key_set read_keys(const topic& about, const json::object& filter, std::size_t most)
{
    const json::value* const said = filter.if_contains(about.member);
    if (!said || said->is_null())
        return {};
    return about.kind == topic_kind::flag ? read_flag(about, *said) : read_list(about, *said, most);
}

void require_scopes(const key_set& uris, const access_view* by)
{
    for (const std::string& uri : uris)
        require_scope(judge(by, feature_kind::resource, uri));
}

void add_wish(std::vector<wish>& to, wish one)
{
    if (!one.keys.empty())
        to.push_back(std::move(one));
}

/// The filter of one request.
struct given_filter {
    const json::object& said;
    std::size_t most;
    const request_context& rpc;
    const std::shared_ptr<const access_view> by = rpc.access();
    const client_facts_ptr client = client_of(rpc, session_of(rpc).get());

    void add_own(std::vector<wish>& to, const topic& about, bool is_offered) const
    {
        key_set keys = read_keys(about, said, most);
        if (is_offered)
            add_wish(to, {&about, std::move(keys)});
    }

    bool is_declared(const extension& one) const
    {
        return !client->extension(one.name()).empty() && one.is_offered(client->revision, by.get());
    }

    void add_topics(std::vector<wish>& to, const extension_ptr& of) const
    {
        if (of->topics().empty() || !is_declared(*of))
            return;
        for (const listen_topic& one : of->topics()) {
            const std::shared_ptr<topic_core>& core = one.core();
            key_set keys = read_keys(core->names(), said, most);
            std::erase_if(keys, [&](const std::string& key) { return !core->may_listen(rpc, key); });
            add_wish(to, {&core->names(), std::move(keys), of, core});
        }
    }
};

} // namespace

std::vector<wish> read_filter(const json::object& filter, const catalogue& of, const request_context& rpc)
{
    const given_filter given{filter, of.server().options.max_subscriptions, rpc};
    std::vector<wish> all;
    given.add_own(all, tools_topic, of.has(feature_kind::tool));
    given.add_own(all, prompts_topic, of.has(feature_kind::prompt));
    given.add_own(all, resources_topic, of.has_resources());
    given.add_own(all, uris_topic, of.has_resources());
    for (const wish& one : all)
        if (one.about == &uris_topic)
            require_scopes(one.keys, given.by.get());
    for (const extension_ptr& one : of.extensions())
        given.add_topics(all, one);
    return all;
}

json::object write_filter(const std::vector<wish>& honoured)
{
    json::object all;
    for (const wish& one : honoured)
        if (one.about->kind == topic_kind::flag)
            all[one.about->member] = true;
        else
            all[one.about->member] = json::array(one.keys.begin(), one.keys.end());
    return all;
}

std::size_t bytes_of(const std::vector<wish>& honoured) noexcept
{
    constexpr std::size_t bytes_of_place = 100; // in the map of the topic's listeners
    std::size_t sum = 0;
    for (const wish& one : honoured)
        for (const std::string& key : one.keys)
            sum += key.size() + (one.core ? bytes_of_place : 0);
    return sum;
}

} // namespace partyline::mcp
