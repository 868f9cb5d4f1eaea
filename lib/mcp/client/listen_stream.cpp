#include "mcp/client/listen_stream.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/wire/methods.hpp"
#include "protocol/message/whole_number.hpp"

#include <partyline/mcp/client/client_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

bool tells_of(const json::object& capabilities, std::string_view what)
{
    const json::value* const offered = capabilities.if_contains(what);
    const json::object* const members = offered ? offered->if_object() : nullptr;
    const json::value* const flag = members ? members->if_contains("listChanged") : nullptr;
    return flag && flag->is_bool() && flag->get_bool();
}

// What is told of resources is a list, and of lists a flag.
bool is_something(const json::value& told)
{
    return (told.is_array() && !told.get_array().empty()) || (told.is_bool() && told.get_bool());
}

bool has_any(const json::object& told)
{
    return std::any_of(told.begin(), told.end(), [](const auto& one) { return is_something(one.value()); });
}

} // namespace

std::optional<std::uint64_t> subscription_of(const json::object& meta)
{
    const json::value* const id = meta.if_contains(meta_names::subscription_id);
    if (!id)
        return std::nullopt;
    return id->is_number() ? whole_number(json::serialize(*id)) : 0; // it may be written as 1.0, as the id of a reply
}

json::object wanted_lists(const client_handlers& of, const json::object& server_capabilities)
{
    json::object all;
    if (of.tools_changed && tells_of(server_capabilities, "tools"))
        all[filter_names::tools] = true;
    if (of.prompts_changed && tells_of(server_capabilities, "prompts"))
        all[filter_names::prompts] = true;
    if (of.resources_changed && tells_of(server_capabilities, "resources"))
        all[filter_names::resources] = true;
    return all;
}

json::object wanted(const listen_subject& what)
{
    json::object all;
    if (what.key)
        all[what.member] = json::array(1, json::value(*what.key));
    else
        all[what.member] = true;
    return all;
}

listen_subject listen_subject::resource(std::string uri)
{
    return {{}, std::string(filter_names::uris), std::move(uri)};
}

const std::string& listen_subject::name() const noexcept
{
    static const std::string lists = "the lists";
    if (is_lists())
        return lists;
    return key ? *key : member;
}

listen_stream::listen_stream(const asio::any_io_executor& where, listen_subject of, json::object all)
    : subject(std::move(of)), wanted(std::move(all)), changed(where)
{
}

// The first one may say that nothing is honoured; a later one only that it is of a later request for the same.
bool listen_stream::acknowledge(std::optional<std::uint64_t> by, const json::object& told)
{
    const bool is_first = !honoured_;
    if (is_first ? has_any(told) && !has_wanted(told) : by <= id_ || !has_wanted(told))
        return false;
    id_ = by;
    honoured_ = told;
    if (is_first)
        changed.cancel();
    return true;
}

bool listen_stream::is_honoured() const
{
    return honoured_ && (subject.is_lists() || has_wanted(*honoured_));
}

bool listen_stream::has_wanted(const json::object& told) const
{
    if (!subject.key)
        return std::any_of(wanted.begin(), wanted.end(), [&](const auto& one) {
            const json::value* const flag = told.if_contains(one.key());
            return flag && is_something(*flag);
        });
    const json::value* const listed = told.if_contains(subject.member);
    const json::array* const all = listed ? listed->if_array() : nullptr;
    return all && std::find(all->begin(), all->end(), json::value(*subject.key)) != all->end();
}

bool listen_stream::is_own_end(error_code of) noexcept
{
    return of == asio::error::operation_aborted || of == errc::session_closed;
}

void listen_stream::throw_end() const
{
    if (end->code())
        throw failed_call(end->code(), end->details());
    if (end->error())
        throw rpc_error(*end->error());
    throw failed_call(client_errc::not_subscribed, "the server has ended it at once");
}

void listen_stream::cancel()
{
    changed.cancel();
    if (!end)
        cancelling.emit(asio::cancellation_type::terminal);
}

} // namespace partyline::mcp
