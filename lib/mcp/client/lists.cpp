#include "mcp/client/lists.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_lists.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <type_traits>
#include <utility>

namespace partyline::mcp {
namespace {

struct page_text {
    json_text text;
    bool is_kept;        // of an earlier request
    std::uint64_t epoch; // of `outputs()` when it was asked for
};

// Where a cursor is refused, the pages that are kept are not of what the server has now.
template <listed T>
task<page_text> request_page(std::shared_ptr<client_core> of, std::optional<std::string> cursor)
{
    const std::string method(list_method<T>());
    std::string members;
    if (cursor)
        add_string(members, "cursor", *cursor);
    const std::uint64_t epoch = of->outputs().epoch();
    if (std::optional<json_text> kept = of->find_kept(method, members))
        co_return page_text{*std::move(kept), true, epoch};
    try {
        json_text reply = co_await of->request(method, std::move(members));
        co_return page_text{std::move(reply), false, epoch};
    } catch (const rpc_error&) {
        of->results().drop(method);
        throw;
    }
}

// Of what has changed since it was asked for nothing is noted.
template <listed T>
page<T> read_text(client_core& of, const page_text& from)
{
    page<T> read = read_or_drop(of.results(), list_method<T>(), [&] { return read_page<T>(from.text); });
    if constexpr (std::is_same_v<T, tool_info>)
        if (of.options().check_results && of.outputs().epoch() == from.epoch)
            for (const tool_info& each : read.items)
                of.outputs().note(each);
    return read;
}

[[noreturn]] void fail_endless(client_core& of, const std::string& method, const std::string& why)
{
    of.results().drop(method);
    throw failed_call(client_errc::endless_list, method + ": " + why);
}

// Bounded in every way: the cursors are the server's.
template <listed T>
task<std::vector<T>> list_pages(std::shared_ptr<client_core> of, bool& has_kept)
{
    std::vector<T> all;
    std::set<std::string> seen;
    std::optional<std::string> cursor;
    std::size_t bytes = 0;
    const std::string method(list_method<T>());
    do {
        const page_text reply = co_await request_page<T>(of, cursor);
        has_kept = has_kept || reply.is_kept;
        page<T> next = read_text<T>(*of, reply);
        bytes += reply.text.text().size();
        all.insert(all.end(), std::make_move_iterator(next.items.begin()), std::make_move_iterator(next.items.end()));
        cursor = std::move(next.next_cursor);
        if (cursor && !seen.insert(*cursor).second)
            fail_endless(*of, method, "the same cursor came twice");
        if (cursor && (seen.size() >= of->options().max_pages || bytes > of->options().max_list_bytes))
            fail_endless(*of, method, "after " + std::to_string(seen.size()) + " pages");
    } while (cursor);
    co_return all;
}

} // namespace

template <listed T>
task<page<T>> list(std::shared_ptr<client_core> of, std::optional<std::string> cursor)
{
    const page_text reply = co_await request_page<T>(of, std::move(cursor));
    co_return read_text<T>(*of, reply);
}

// The cursor of a page that was kept may be good no longer: then the list begins anew.
template <listed T>
task<std::vector<T>> list_all(std::shared_ptr<client_core> of)
{
    bool has_kept = false;
    try {
        task<std::vector<T>> whole = list_pages<T>(of, has_kept);
        co_return co_await std::move(whole);
    } catch (const rpc_error&) {
        if (!has_kept)
            throw;
    }
    task<std::vector<T>> anew = list_pages<T>(of, has_kept);
    co_return co_await std::move(anew);
}

template task<page<tool_info>> list(std::shared_ptr<client_core>, std::optional<std::string>);
template task<page<resource_info>> list(std::shared_ptr<client_core>, std::optional<std::string>);
template task<page<resource_template_info>> list(std::shared_ptr<client_core>, std::optional<std::string>);
template task<page<prompt_info>> list(std::shared_ptr<client_core>, std::optional<std::string>);
template task<std::vector<tool_info>> list_all(std::shared_ptr<client_core>);
template task<std::vector<resource_info>> list_all(std::shared_ptr<client_core>);
template task<std::vector<resource_template_info>> list_all(std::shared_ptr<client_core>);
template task<std::vector<prompt_info>> list_all(std::shared_ptr<client_core>);

} // namespace partyline::mcp
