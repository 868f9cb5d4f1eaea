#include <partyline/mcp/server/context.hpp>

#include "mcp/server/calls/client_questions.hpp"
#include "mcp/server/calls/served_call.hpp"

#include <partyline/mcp/tool_error.hpp>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

bool has_tools(const json::object& sampling)
{
    return sampling.contains("tools") || sampling.contains("toolChoice");
}

// What the client has to be able to do, as it declares it; empty where it is.
json::object missing_for(const detail::question& asked, const client_facts& client)
{
    const bool is_page = asked.params.contains("url");
    if (asked.method == "elicitation/create" && is_page && !client.can_elicit_url())
        return {{"elicitation", json::object{{"url", json::object()}}}};
    if (asked.method == "elicitation/create" && !is_page && !client.can_elicit())
        return {{"elicitation", json::object()}};
    const bool is_sample = asked.method == "sampling/createMessage";
    if (is_sample && has_tools(asked.params) && !client.can_sample_with_tools())
        return {{"sampling", json::object{{"tools", json::object()}}}};
    if (is_sample && !client.can_sample())
        return {{"sampling", json::object()}};
    if (asked.method == "roots/list" && !client.can_list_roots())
        return {{"roots", json::object()}};
    return {};
}

// One capability may be needed in several ways.
void add_required(json::object& to, const json::object& more)
{
    for (const auto& [name, ways] : more) {
        json::value& known = to[name];
        if (!known.is_object())
            known.emplace_object();
        for (const auto& [way, value] : ways.get_object())
            known.get_object()[way] = value;
    }
}

void check_capabilities(const detail::open_question* questions, std::size_t count, const client_facts& client)
{
    json::object required;
    for (std::size_t i = 0; i != count; ++i)
        add_required(required, missing_for(*questions[i].asked, client));
    if (!required.empty())
        throw missing_capability(std::move(required));
}

// An answer that does not fit counts as none.
bool find_answer(rounds& known, const detail::open_question& question)
{
    const json::value* const found = known.answer(*question.asked);
    if (found && question.read(*found, question.into))
        return true;
    if (found)
        known.forget_answer(*question.asked);
    return false;
}

void answer_from(rounds& known, const detail::open_question* questions, std::size_t count)
{
    for (std::size_t i = 0; i != count; ++i)
        if (!find_answer(known, questions[i]))
            known.add_open(*questions[i].asked);
    if (known.has_open())
        throw detail::needs_answer();
}

void check_number(double number)
{
    if (!std::isfinite(number))
        throw std::invalid_argument("progress is a finite number");
}

} // namespace

context::context(detail::served_call& of, boost::intrusive_ptr<const client_facts> client) noexcept
    : requester(std::move(client)), of_(of)
{
}

request_context& context::rpc() const noexcept
{
    return of_.rpc();
}

sending context::progress(double done, std::optional<double> total, std::string_view message)
{
    check_number(done);
    json::object value{{"progress", done}};
    if (total) {
        check_number(*total);
        value["total"] = *total;
    }
    if (!message.empty() && revision() >= revision::v2025_03_26)
        value["message"] = json::string(message);
    if (!of_.advance(done))
        return sending::without_wait();
    return rpc().progress(json::value(std::move(value)));
}

bool context::is_logged(log_level level) const
{
    const std::optional<log_level> from = of_.log_from();
    return from && level >= *from;
}

sending context::log(log_level level, std::string_view text, std::string_view logger)
{
    return is_logged(level) ? send_log(level, json::string(text), logger) : sending::without_wait();
}

sending context::log(log_level level, const json::object& data, std::string_view logger)
{
    return is_logged(level) ? send_log(level, data, logger) : sending::without_wait();
}

sending context::send_log(log_level level, json::value data, std::string_view logger)
{
    json::object params{{"level", json::string(to_string(level))}, {"data", std::move(data)}};
    if (!logger.empty())
        params["logger"] = json::string(logger);
    return rpc().notify("notifications/message", std::move(params));
}

task<elicit_action> context::elicit_url(std::string key, std::string message, std::string address)
{
    return ask_one(url(std::move(key), std::move(message), std::move(address)));
}

task<sampling_answer> context::sample(std::string key, const sampling_request& what)
{
    return ask_one(mcp::sample(std::move(key), what));
}

task<std::vector<root>> context::roots(std::string key)
{
    return ask_one(mcp::roots(std::move(key)));
}

task<void> context::ask_all(detail::open_question* questions, std::size_t count)
{
    check_capabilities(questions, count, facts());
    if (rounds* const known = of_.asked_before())
        answer_from(*known, questions, count);
    else
        co_await ask_client(rpc(), revision(), questions, count);
}

const json::value* context::find_kept(std::string_view key) const
{
    const rounds* const known = of_.asked_before();
    return known ? known->kept(key) : nullptr;
}

void context::keep(std::string key, json::value result)
{
    if (rounds* const known = of_.asked_before())
        known->keep(key, std::move(result));
}

const json::value* context::find_state() const noexcept
{
    const rounds* const known = of_.asked_before();
    return known ? known->state() : nullptr;
}

void context::keep_state(json::value next)
{
    if (rounds* const known = of_.asked_before())
        known->set_state(std::move(next));
}

int context::round() const noexcept
{
    const rounds* const known = of_.asked_before();
    return known ? known->round() : 1;
}

} // namespace partyline::mcp
