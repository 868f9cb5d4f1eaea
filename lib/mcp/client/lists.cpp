#include "mcp/client/lists.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_lists.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

namespace partyline::mcp {

template <listed T>
task<json_text> request_page(std::shared_ptr<client_core> of, std::optional<std::string> cursor)
{
    std::string members;
    if (cursor)
        add_string(members, "cursor", *cursor);
    co_return co_await of->request(std::string(list_method<T>()), std::move(members));
}

template <listed T>
task<page<T>> list(std::shared_ptr<client_core> of, std::optional<std::string> cursor)
{
    const json_text reply = co_await request_page<T>(of, std::move(cursor));
    co_return read_page<T>(reply);
}

// Bounded in every way: the cursors are the server's.
template <listed T>
task<std::vector<T>> list_all(std::shared_ptr<client_core> of)
{
    std::vector<T> all;
    std::set<std::string> seen;
    std::optional<std::string> cursor;
    std::size_t bytes = 0;
    const std::string method(list_method<T>());
    do {
        const json_text reply = co_await request_page<T>(of, cursor);
        page<T> next = read_page<T>(reply);
        bytes += reply.text().size();
        all.insert(all.end(), std::make_move_iterator(next.items.begin()), std::make_move_iterator(next.items.end()));
        cursor = std::move(next.next_cursor);
        if (cursor && !seen.insert(*cursor).second)
            throw failed_call(client_errc::endless_list, method + ": the same cursor came twice");
        if (cursor && (seen.size() >= of->options().max_pages || bytes > of->options().max_list_bytes))
            throw failed_call(client_errc::endless_list, method + ": after " + std::to_string(seen.size()) + " pages");
    } while (cursor);
    co_return all;
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
