#include "mcp/testing/served_client.hpp"

#include "mcp/client/requests.hpp"

#include <partyline/mcp/detail/client_function.hpp>
#include <partyline/protocol/printable.hpp>

#include <exception>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp {
namespace {

constexpr std::size_t longest_shown_list = 500;

// In the legacy era the key of a question does not travel with it.
void tell_key(peer_call& call)
{
    request_context* const asking = call.request();
    const question_key* const key = asking ? asking->attached<question_key>() : nullptr;
    if (key && !call.is_notification())
        call.set_metadata(question_key_name, json::string(key->text));
}

wanted_era as_wanted(era of) noexcept
{
    return of == era::legacy ? wanted_era::legacy : wanted_era::modern;
}

std::string list_text(const std::multiset<std::string>& what)
{
    std::string text;
    for (const std::string& one : what)
        text += (text.empty() ? "; in flight: " : ", ") + one;
    return printable(text, longest_shown_list);
}

} // namespace

served_client::served_client(const mcp::server& of, era how, test_client_options options)
    : loop(options.context), ends_(memory_stream::make_pair(loop.context().get_executor())),
      server_(make_server(of, std::move(ends_.first), std::move(options.server))),
      client_(make_client(std::move(ends_.second), how, std::move(options.client)))
{
    loop.time_limit = options.time_limit;
    set_handlers(client_->handlers_to_set(), options);
    for (auto& [name, settings] : options.extensions)
        client_->declare(declared_extension(name, std::move(settings), {}, {}));
    if (!options.extensions.empty())
        records_->messages.expect_extensions();
    server_.async_run([ending = server_ending_](error_code why) { *ending = why; });
}

session served_client::make_server(const mcp::server& of, memory_stream over, session_options options) const
{
    of.prepare(options);
    options.around_calls.add(tell_key);
    return session(std::move(over), of.methods(), std::move(options));
}

std::shared_ptr<client_core> served_client::make_client(memory_stream over, mcp::era era, client_options how) const
{
    how.era = as_wanted(era);
    how.session.on_message = [all = records_, hook = how.session.on_message](const message_event& event) {
        all->messages.note(event);
        return hook ? hook(event) : std::optional<error_object>();
    };
    session_options of_session = client_session_options(how);
    return std::make_shared<client_core>(session(std::move(over), std::move(of_session)), std::move(how));
}

void served_client::set_handlers(client_handlers& to, const test_client_options& options) const
{
    const auto answers = records_->answers;
    if (options.can_elicit)
        to.elicit = detail::bind_answering<elicit_answer, elicit_request>(
            [answers](const elicit_request& asked) { return answers->answer_form(asked); });
    if (options.can_elicit_url)
        to.elicit_page = detail::bind_answering<elicit_action, page_request>(
            [answers](const page_request& asked) { return answers->answer_page(asked); });
    if (options.can_sample)
        to.sample = detail::bind_answering<sampling_answer, sample_request>(
            [answers](const sample_request& asked) { return answers->answer_sample(asked); });
    to.has_roots = options.can_list_roots;
    to.list_roots = detail::bind_answering<std::vector<root>, roots_request>(
        [answers](const roots_request& asked) { return answers->list_roots(asked); });

    to.log = [all = records_](const log_entry& entry) { all->logged.push_back(entry); };
    to.tools_changed = [all = records_] { ++all->changes.tools; };
    to.prompts_changed = [all = records_] { ++all->changes.prompts; };
    to.resources_changed = [all = records_] { ++all->changes.resources; };
    to.resource_updated = [all = records_](const std::string& uri) { all->changes.updated.push_back(uri); };
}

served_client::~served_client()
{
    try {
        server_.stop();
        client_->leave();
        loop.try_run_until([this] { return has_ended(); });
        loop.try_run_until_idle();
    } catch (...) { // a destructor has nobody to tell; what still runs goes away with the loop
    }
}

// What listens is not waited for by the handshake, and here nothing that changes from now on is to be missed.
void served_client::start()
{
    run("the handshake", client_->start());
    run_until_idle();
}

void served_client::record_progress(call_hooks& hooks, const std::shared_ptr<detail::test_operation>& about,
                                    std::string of) const
{
    hooks.on_progress = [about, all = records_, name = std::move(of), told = std::move(hooks.on_progress)](
                            double done, std::optional<double> total, const std::string& message) {
        about->progress.push_back({name, done, total, message});
        all->progress.push_back({name, done, total, message});
        if (told)
            told(done, total, message);
    };
}

// Whatever else came of it: what the test has to mend comes first.
void served_client::throw_failure() const
{
    if (const std::exception_ptr failed = records_->answers->take_failure())
        std::rethrow_exception(failed);
}

void served_client::wait_for(const detail::test_operation& operation)
{
    const bool is_done = loop.try_run_until([&] { return operation.is_done(); });
    throw_failure();
    if (!is_done)
        throw_timed_out(operation.what() + " has not been answered");
}

void served_client::run_until(const std::function<bool()>& predicate)
{
    const bool is_true = loop.try_run_until([&] { return records_->answers->has_failed() || predicate(); });
    throw_failure();
    if (!is_true)
        throw_timed_out("what run_until waits for has not come to pass");
}

void served_client::run_until_idle()
{
    const bool is_idle = loop.try_run_until_idle();
    throw_failure();
    if (!is_idle)
        throw_timed_out("what is ready to run has not come to an end");
}

error_code served_client::end()
{
    if (!client_->has_ended())
        run("the end of the client", client_->close());
    if (!loop.try_run_until([this] { return server_ending_->has_value(); }))
        throw_timed_out("the server has not ended, after the end of its input,");
    return **server_ending_;
}

void served_client::throw_timed_out(const std::string& what) const
{
    throw partyline::test::timed_out(what + ' ' + loop.limit_text() + list_text(records_->in_flight) +
                                     records_->answers->open_text());
}

} // namespace partyline::mcp
