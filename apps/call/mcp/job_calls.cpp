// What a job asks of the server.

#include "answer_text.hpp"
#include "call/mcp_request.hpp"
#include "call/output/shown_line.hpp"
#include "form_field.hpp"
#include "job.hpp"
#include "listing.hpp"

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/protocol/writer.hpp>

#include <boost/json/object.hpp>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;
namespace mcp = partyline::mcp;

namespace call {
namespace {

using named = mcp_options::named;
using std::chrono::steady_clock;

std::string exact_json(const json::value& value)
{
    partyline::byte_buffer out;
    write_value(out, value, std::numeric_limits<std::size_t>::max());
    return std::string(out.view());
}

progress_note note_of(double done, std::optional<double> total, const std::string& message)
{
    if (!total)
        return {std::nullopt, message.empty() ? number_words(done) : message};
    return read_progress(json::object{{"progress", done}, {"total", *total}, {"message", message}});
}

} // namespace

// No coroutine: see do_what_is_wanted.
asio::awaitable<void> mcp_job::make_call()
{
    if (wanted_.mcp.prints_json)
        return make_calls();
    switch (wanted_.mcp.what) {
    case named::tool: return call_tool();
    case named::resource: return read_resource();
    case named::prompt: return get_prompt();
    default: return make_calls();
    }
}

asio::awaitable<void> mcp_job::call_tool()
{
    mcp::call_hooks hooks = hooks_for({});
    const auto [failed, answer] =
        co_await client_->call_tool(wanted_.only.method, params_for(wanted_.only), std::move(hooks))(cancellable());
    if (!has_succeeded(answer))
        co_return;
    if (answer->is_error)
        reporter_->tell_failed_result(text_of(*answer));
    else if (answer->structured)
        reporter_->print(answer->structured->text());
    else
        print_text(text_of(*answer));
}

asio::awaitable<void> mcp_job::read_resource()
{
    mcp::call_hooks hooks = hooks_for({});
    const auto [failed, answer] = co_await client_->read_resource(wanted_.only.method, std::move(hooks))(cancellable());
    if (!has_succeeded(answer))
        co_return;
    if (reporter_->prints_for_person())
        print_text(text_of(*answer));
    else
        reporter_->print_lines(bytes_of(*answer));
}

asio::awaitable<void> mcp_job::get_prompt()
{
    mcp::call_hooks hooks = hooks_for({});
    request only = wanted_.only;
    only.params = prompt_arguments(only.params);
    const auto [failed, answer] =
        co_await client_->get_prompt(only.method, params_for(only), std::move(hooks))(cancellable());
    if (has_succeeded(answer))
        print_text(text_of(*answer));
}

void mcp_job::print_text(std::string_view text)
{
    reporter_->print_lines(reporter_->prints_for_person() ? shown_text(text) : std::string(text));
}

asio::awaitable<void> mcp_job::make_calls()
{
    const auto begun = steady_clock::now();
    while (std::optional<request> next = co_await source_->next()) {
        co_await calls_.room();
        if (interruption_.has_come())
            break;
        try {
            static_cast<void>(protocol_request(wanted_.mcp.what, *next));
        } catch (const std::invalid_argument& e) {
            reporter_->complain(next->label + ": " + e.what(), exit_status::wrong_usage);
            continue;
        }
        calls_.start(std::move(*next), [this](const request& what, calls_in_flight::completion done) {
            start_call(what, std::move(done));
        });
    }
    co_await calls_.none_left();
    reporter_->finish(steady_clock::now() - begun);
}

void mcp_job::start_call(const request& what, calls_in_flight::completion done)
{
    const request asked = protocol_request(wanted_.mcp.what, what);
    client_->request(asked.method, params_for(asked), hooks_for(what.label))(std::move(done));
}

mcp::call_hooks mcp_job::hooks_for(const std::string& label)
{
    mcp::call_hooks hooks;
    hooks.timeout = wanted_.timeout;
    hooks.idle_timeout = wanted_.idle_timeout;
    if (wanted_.what != options::action::repeat)
        hooks.on_progress = [this, label](double done, std::optional<double> total, const std::string& message) {
            status_output_.show_progress(note_of(done, total, message), label);
        };
    return hooks;
}

// No coroutine: see do_what_is_wanted.
asio::awaitable<void> mcp_job::list()
{
    switch (wanted_.mcp.listed) {
    case mcp_options::listing::resources: return list_all(&mcp::client::resources, "resources", "resources/list");
    case mcp_options::listing::templates:
        return list_all(&mcp::client::templates, "resources", "resources/templates/list");
    case mcp_options::listing::prompts: return list_all(&mcp::client::prompts, "prompts", "prompts/list");
    default: return list_all(&mcp::client::tools, "tools", "tools/list");
    }
}

template <class T>
asio::awaitable<void> mcp_job::list_all(partyline::operation<std::vector<T>> (mcp::client::*all)() const,
                                        std::string capability, std::string method)
{
    if (!client_->server().capabilities.contains(capability))
        co_return status_output_.say("partyline-call: the server says that it has no " + capability);
    const auto [failed, list] = co_await ((*client_).*all)()(cancellable());
    if (!has_succeeded(list, method))
        co_return;
    if (wanted_.mcp.prints_json)
        reporter_->print(exact_json(list_json(*list)));
    else
        reporter_->print_lines(list_lines(*list));
}

asio::awaitable<void> mcp_job::tell_info()
{
    if (wanted_.mcp.prints_json)
        reporter_->print(exact_json(client_->server().raw));
    else
        reporter_->print_lines(info_lines(client_->server()));
    co_return;
}

} // namespace call
