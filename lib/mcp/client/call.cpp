#include "mcp/answers/failed_call.hpp"
#include "mcp/answers/read_answers.hpp"
#include "mcp/client/client_core.hpp"
#include "mcp/client/envelope.hpp"
#include "mcp/client/input_requests.hpp"
#include "mcp/client/joined_tasks.hpp"
#include "mcp/wire/methods.hpp"

#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/error_codes.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

std::optional<double> number_in(const json::object& of, std::string_view name)
{
    const json::value* const found = of.if_contains(name);
    if (!found || !found->is_number())
        return std::nullopt;
    return found->to_number<double>();
}

// What does not grow, and what is no progress, is not told.
call_options::progress_function tell_progress(call_hooks hooks)
{
    return [told = std::move(hooks.on_progress),
            last = -std::numeric_limits<double>::infinity()](const json::value& params) mutable {
        const json::object* const members = params.if_object();
        const std::optional<double> done = members ? number_in(*members, "progress") : std::nullopt;
        if (!done || !(*done > last))
            return;
        last = *done;
        const json::value* const message = members->if_contains("message");
        const bool has_text = message && message->is_string();
        told(*done, number_in(*members, "total"), has_text ? std::string(message->get_string()) : std::string());
    };
}

call_options options_for(const call_hooks& hooks, const time_limit& limit)
{
    call_options how;
    how.timeout(limit.left()).idle_timeout(hooks.idle_timeout);
    if (hooks.on_progress)
        how.on_progress(tell_progress(hooks));
    return how;
}

task<json_text> make_result(std::shared_ptr<client_core> of, const result_function& by, extension_result what,
                            time_limit limit)
{
    std::vector<task<json_text>> work;
    work.push_back(by(std::move(what)));
    task<std::vector<json_text>> making = join_tasks(of, std::move(work), limit, "the result took too long");
    std::vector<json_text> made = co_await std::move(making);
    co_return std::move(made.front());
}

// The server does not know what it has listed, or not as it has.
void drop_refused(client_core& of, std::string_view method, int code) noexcept
{
    const bool is_of_list = code == error_codes::header_mismatch || code == error_codes::resource_not_found ||
                            code == partyline::error_codes::method_not_found ||
                            code == partyline::error_codes::invalid_params;
    if (method == methods::read_resource && is_of_list) {
        of.results().drop(methods::list_resources);
        of.results().drop(methods::list_templates);
    }
    if (method == methods::call_tool && is_of_list)
        of.drop_tools();
}

} // namespace

const result_function* client_core::find_result(const std::string& method, const std::string& type) const
{
    for (const declared_extension& one : handlers_.extensions)
        if (const auto found = one.options.results.find({method, type}); found != one.options.results.end())
            return &found->second;
    return nullptr;
}

std::optional<log_level> client_core::level_for(const call_hooks& hooks) const
{
    if (hooks.log_level)
        return hooks.log_level;
    if (const std::optional<mcp::log_level> least = lasting_.log_from())
        return least;
    return handlers_.log ? std::optional(log_level::info) : std::nullopt;
}

std::string client_core::params_text(std::string_view members, const call_hooks& hooks) const
{
    json::object meta = hooks.meta;
    if (era_ == era::modern) {
        const revision r = server_ ? server_->revision : newest_modern;
        for (auto& [name, value] : modern_meta(handlers_, options_, r))
            meta.insert_or_assign(name, std::move(value));
        if (const std::optional<log_level> level = level_for(hooks))
            meta.insert_or_assign(meta_names::log_level, json::string(to_string(*level)));
    }
    std::string all(members);
    if (!meta.empty())
        add_member(all, "_meta", json::serialize(meta));
    return '{' + std::move(all) + '}';
}

std::optional<json_text> client_core::find_kept(std::string_view method, std::string_view members)
{
    if (has_left_ || end_ || is_closed_)
        return std::nullopt;
    return results_.find(method, members, result_cache::clock::now());
}

task<json_text> client_core::call(std::string method, std::string members, call_hooks hooks)
{
    check_started();
    const std::shared_ptr<client_core> hold = shared_from_this();
    const bool may_be_kept = hooks.meta.empty() && !hooks.log_level; // else it is to reach the server
    if (may_be_kept)
        if (std::optional<json_text> kept = find_kept(method, members))
            co_return *std::move(kept);
    std::uint64_t begun = results_.begin(method, members);
    const time_limit limit(hooks.timeout);
    std::string all = members;
    for (std::size_t round = 0;; ++round) {
        call_options how = options_for(hooks, limit);
        json_text reply;
        try {
            reply = co_await send(method, params_text(all, hooks), std::move(how));
        } catch (const rpc_error& refused) {
            drop_refused(*this, method, refused.error().code);
            throw;
        }
        begun = results_.on_reply(method, members, begun);
        if (era_ == mcp::era::legacy)
            co_return std::move(reply);
        const std::string type = result_type(method, reply);
        if (const result_function* const made_by = find_result(method, type)) {
            hooks.timeout = limit.left();
            extension_result what{std::move(method), std::move(reply), std::move(hooks)};
            task<json_text> made = make_result(hold, *made_by, std::move(what), limit);
            co_return co_await std::move(made);
        }
        std::optional<input_request> asked = read_input_request(method, type, reply);
        if (!asked) {
            if (may_be_kept && round == 0)
                results_.keep(method, members, begun, reply, result_cache::clock::now());
            co_return std::move(reply);
        }
        if (round == options_.max_rounds)
            throw failed_call(client_errc::too_many_rounds, method + ": after " + std::to_string(round) + " rounds");
        const std::string answers = co_await answer_input_request(hold, method, std::move(*asked), limit);
        all = members;
        if (!answers.empty())
            all += (all.empty() ? "" : ",") + answers;
    }
}

} // namespace partyline::mcp
