#include <partyline/mcp_extensions/client_skills.hpp>

#include "mcp_extensions/skills/read_entry.hpp"
#include "mcp_extensions/skills/shown.hpp"
#include "mcp_extensions/skills/skill_uri.hpp"
#include "mcp_extensions/skills/verify.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/system/system_error.hpp>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace skills {
namespace {

call_hooks hooks_of(const client_skills_options& options)
{
    call_hooks hooks;
    hooks.timeout = options.request_timeout;
    return hooks;
}

[[noreturn]] void fail_endless(const std::string& method, const std::string& why)
{
    throw boost::system::system_error(make_error_code(client_errc::endless_list), method + ": " + why);
}

/// A list that a server gives page by page: how it is asked for.
struct list_request {
    std::string method;
    json::object params;
    std::string key; // of the items in the result
};

// Reads an item of a list; `place` is what its errors begin with.
template <class T>
using item_reader = std::function<T(const json::value& item, const std::string& place)>;

// Appends what is on a page to the list; gives what to ask for the next page by.
template <class T>
std::optional<std::string> read_page(const json_text& reply, const list_request& of, const item_reader<T>& read,
                                     std::vector<T>& into)
{
    const json::object page = read_object(reply, of.method);
    for (const json::value& each : list_in(page, of.key, of.method)) {
        const std::string place = of.method + ": " + of.key + "[" + std::to_string(into.size()) + "]";
        into.push_back(read(each, place));
    }
    return next_cursor_in(page, of.method);
}

// All items; of a page nothing else is kept. Bounded in every way: the cursors are the server's.
template <class T>
task<std::vector<T>> list_pages(client_extension from, client_skills_options options, list_request what,
                                item_reader<T> read)
{
    std::vector<T> all;
    std::set<std::string> seen;
    std::size_t bytes = 0;
    while (true) {
        operation<json_text> asking = from.request(what.method, what.params, hooks_of(options));
        std::optional<std::string> cursor;
        {
            const json_text reply = co_await std::move(asking);
            bytes += reply.text().size();
            if (bytes > options.max_list_bytes)
                fail_endless(what.method, "more than " + std::to_string(options.max_list_bytes) + " bytes");
            cursor = read_page(reply, what, read, all);
        }
        if (!cursor)
            co_return all;
        if (!seen.insert(*cursor).second)
            fail_endless(what.method, "the same cursor came twice");
        if (seen.size() >= options.max_pages)
            fail_endless(what.method, "after " + std::to_string(seen.size()) + " pages");
        what.params["cursor"] = *std::move(cursor);
    }
}

// Entries, each skill once, however its URI is spelled.
item_reader<skill> read_each_once()
{
    return [seen = std::set<std::string>()](const json::value& item, const std::string& place) mutable {
        skill read = read_entry(item, place);
        if (!seen.insert(spelling_key(read.uri).value()).second)
            refuse_answer(place + ".uri", shown(read.uri) + " is there twice");
        return read;
    };
}

task<std::vector<skill>> list_skills(client_extension from, client_skills_options options)
{
    list_request what{"skills/list", {}, "skills"};
    task<std::vector<skill>> listing =
        list_pages<skill>(std::move(from), std::move(options), std::move(what), read_each_once());
    co_return co_await std::move(listing);
}

task<skill> get_skill(client_extension from, client_skills_options options, std::string uri)
{
    json::object params;
    params.emplace("uri", uri);
    operation<json_text> asking = from.request("skills/get", std::move(params), hooks_of(options));
    const json_text reply = co_await std::move(asking);
    const json::object result = read_object(reply, "skills/get");
    const json::value* const entry = result.if_contains("skill");
    skill read = read_entry(entry ? *entry : json::value(), "skills/get: skill");
    if (key_of_uri(uri, read.uri) != std::string(entry_file))
        refuse_answer("skills/get: skill.uri", "expected " + shown(uri) + ", got " + shown(read.uri));
    co_return read;
}

task<resource_part> read_file(client_extension from, client_skills_options options, skill of, std::string file)
{
    const wanted_file what = find_file(of, file);
    json::object params;
    params.emplace("uri", what.uri);
    operation<json_text> asking = from.request("resources/read", std::move(params), hooks_of(options));
    const json_text reply = co_await std::move(asking);
    const json::object result = read_object(reply, "resources/read");
    resource_part read = read_contents(result, what.uri, "resources/read");
    verify(of, what, read.data, options.read_frontmatter);
    co_return read;
}

bool has_directories(const client_extension& from)
{
    const std::optional<json::object> settings = from.served();
    const json::value* const found = settings ? settings->if_contains("directoryRead") : nullptr;
    return found && found->is_bool() && found->get_bool();
}

task<std::vector<resource_info>> list_folder(client_extension from, client_skills_options options, std::string uri)
{
    if (from.served() && !has_directories(from))
        throw boost::system::system_error(make_error_code(client_errc::not_declared), "directoryRead");
    json::object params;
    params.emplace("uri", std::move(uri));
    list_request what{"resources/directory/read", std::move(params), "resources"};
    task<std::vector<resource_info>> listing =
        list_pages<resource_info>(std::move(from), std::move(options), std::move(what), read_child);
    co_return co_await std::move(listing);
}

} // namespace
} // namespace skills

client_skills::client_skills(client& of, client_skills_options options)
    : extension_(of.add_extension("io.modelcontextprotocol/skills")), options_(std::move(options))
{
}

bool client_skills::served() const
{
    return extension_.served().has_value();
}

bool client_skills::can_read_directories() const
{
    return skills::has_directories(extension_);
}

task<std::vector<skill>> client_skills::list() const
{
    return skills::list_skills(extension_, options_);
}

task<skill> client_skills::get(std::string_view uri) const
{
    return skills::get_skill(extension_, options_, std::string(uri));
}

task<resource_part> client_skills::read(const skill& of, std::string_view file) const
{
    return skills::read_file(extension_, options_, of, std::string(file));
}

task<std::vector<resource_info>> client_skills::read_directory(std::string_view uri) const
{
    return skills::list_folder(extension_, options_, std::string(uri));
}

} // namespace partyline::mcp
