#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/client/client_extension.hpp>
#include <partyline/mcp/client/client_options.hpp>
#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/mcp/detail/client_function.hpp>
#include <partyline/mcp/detail/client_source.hpp>
#include <partyline/mcp/error_codes.hpp>
#include <partyline/rpc/method_table.hpp>
#include <partyline/session.hpp>
#include <partyline/session/operation.hpp>
#include <partyline/session/task.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

class client_core;

namespace detail {

struct client_access;

} // namespace detail

/// Uses what a server of the Model Context Protocol offers: tools, resources and prompts; of servers that begin with
/// `initialize` (2024-11-05 to 2025-11-25) and of those that do not (2026-07-28).
///
///     partyline::task<void> use(partyline::mcp::client& client)
///     {
///         client.on_elicit([](const mcp::elicit_request& asked) { return ask_user(asked); });
///         co_await client.start();
///         for (const mcp::tool_info& tool : co_await client.tools())
///             show(tool.name, tool.description);
///         const mcp::tool_answer found = co_await client.call_tool("search", search_args("TODO"));
///         show(found.text());
///         co_await client.close();
///     }
///
/// with `partyline::mcp::client client(executor, {"notes-server", "--root", "."})`, or one over any stream.
///
/// Each operation is an `operation<T>`: awaited it gives the `T` or throws, called with a completion token it completes
/// with an error code and a `call_result<T>`. For all of them:
///
/// Fails with       what `caller::call` fails with; client_errc::not_started; client_errc::bad_result and
///                  unknown_result_type: the details name the place. A server that has died: errc::peer_closed, or how
///                  the child ended, see `child_exit`, also of what is asked afterwards. What takes no `call_hooks`:
///                  errc::timeout, after `client_options::request_timeout` for each request it makes
/// Cancellation     terminal, partial, total: the server is told, handlers that answer it are cancelled, and the
///                  operation completes with operation_aborted
/// Before           `start` has completed, unless it is `start` or `close`
/// Lifetime         the arguments are copied or moved in. The client may be moved or destroyed meanwhile; destroying it
///                  completes what is under way with errc::session_closed, and no handler is called any more
/// Threads          any; the handler runs on its associated executor, by default the session's, and a coroutine goes on
///                  where it was. Moving and destroying the client: while nobody else is using it
///
/// Handlers, `on_x`, are set before `start`: what has none is not declared to the server. They run on the session's
/// executor. What answers a question may be a coroutine (`task`, `asio::awaitable`), and several are asked at a time;
/// what it throws ends the call that is about it, or, before 2026-07-28, is answered to the server. Setting one after
/// that throws `std::logic_error`.
///
/// Results that are kept, where `client_options::cache_bytes` is set: a server of 2026-07-28 says for how long a result
/// is good (`ttlMs`). For that time lists, page by page, and what was read of resources answer the same request in
/// place of the server. Requests whose `call_hooks` have a `log_level` or `meta`, which the server is to see,
/// always go there, as `start` and `ping` do; what answers them, or came after questions of the server, is not kept.
/// Results are dropped when the server tells of a change, whether or not there is a handler for it; when it begins to
/// tell (after `start`, `subscribe`, or a gap); when it refuses a call or a reading as none that is listed so; and
/// by `forget_results`. They belong to this client, which speaks for one principal, so those of either `cacheScope` are
/// kept.
///
/// Movable; one that was moved from throws `std::logic_error` when it is used. Destroying it ends the conversation at
/// once: a child process is killed. See `close`. The `io_context` must outlive it. For a server that is to be there
/// again when it has died: `supervised_client`.
class PARTYLINE_EXPORT client {
public:
    /// Talks over `stream`, any Asio stream, which is moved in.
    template <detail::client_stream Stream>
    explicit client(Stream stream, client_options options = {})
        : client(session(std::move(stream), prepared(options)), options)
    {
    }
    /// Reaches a server over the network: see `http::mcp_client`.
    template <detail::session_opener Opener>
    explicit client(Opener opener, client_options options = {})
        : client(std::move(opener).open(prepared(options)), options)
    {
    }
    /// Starts a server: see `child_process`, which says what is thrown where it can't be.
    client(boost::asio::any_io_executor executor, std::vector<std::string> command, client_options options = {})
        : client(child_process(std::move(executor), std::move(command)), std::move(options))
    {
    }
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client();

    // What the server asks. One of 2026-07-28 asks by its answers to calls: its requests are dropped, and logged.

    /// Sets what answers forms: `elicit_answer f(const elicit_request&)`, or a coroutine that gives one.
    template <class F>
    void on_elicit(F function)
    {
        set(detail::bind_answering<elicit_answer, elicit_request>(std::move(function)));
    }
    /// Sets what is asked for pages that the user is to open: `elicit_action f(const page_request&)`. Accepting says
    /// that the user has agreed to open it.
    template <class F>
    void on_elicit_page(F function)
    {
        set(detail::bind_answering<elicit_action, page_request>(std::move(function)));
    }
    /// Sets what has the client's model say something: `sampling_answer f(const sample_request&)`.
    template <class F>
    void on_sample(F function)
    {
        set(detail::bind_answering<sampling_answer, sample_request>(std::move(function)));
    }
    /// Sets what the server may work in: for the first time before `start`, and again at any time, from any thread. The
    /// server is told of the change then (2026-07-28: it asks anew with each call). Throws `std::logic_error` where the
    /// first time is after `start`.
    void set_roots(std::vector<root> roots);

    /// Declares an extension of the protocol (SEP-2133) to the server: in the handshake, from 2026-07-28 on with each
    /// request. Before `start`. `methods` are what the server may tell of it, and, before 2026-07-28, ask: members of
    /// params that they do not know are ignored unless their options say otherwise.
    ///
    ///     partyline::method_table told;
    ///     told.add_notification("notifications/jobs/done", [](std::string job) { show(job); }, {"job"});
    ///     const mcp::client_extension jobs = client.add_extension("com.example/jobs", {}, std::move(told));
    ///     co_await client.start();
    ///     if (jobs.served()) {
    ///         const partyline::json_text all = co_await jobs.request("jobs/list");
    ///         show(all.text());
    ///     }
    ///
    /// Throws `std::logic_error` after `start`, `std::invalid_argument` for what `server::add_extension` refuses, and
    /// for a function for results that is empty, or for a type that has one already or is the protocol's.
    client_extension add_extension(std::string name, boost::json::object settings = {}, method_table methods = {},
                                   client_extension_options how = {});

    // What the server tells. What such a function throws goes to the session's log.

    /// A message for the log. What is no such message is dropped.
    void on_log(std::function<void(const log_entry&)> told);
    /// The list of tools has changed, or may have while the server did not tell (2026-07-28). So for the other two.
    void on_tools_changed(std::function<void()> told);
    /// The list of prompts has changed, or may have.
    void on_prompts_changed(std::function<void()> told);
    /// The list of resources or that of templates has changed, or may have.
    void on_resources_changed(std::function<void()> told);
    /// A resource that was subscribed to has changed, or one below it.
    void on_resource_updated(std::function<void(const std::string& uri)> told);
    /// The user has done what a page was for: `page_request::id` (2025-11-25 alone). Told once, of pages that the
    /// server has asked for and that were not declined; of the last thousand whose end is still to come.
    void on_page_done(std::function<void(const std::string& id)> told);
    /// The conversation has ended, as `session::async_run` completes. By itself or not.
    void on_ended(std::function<void(error_code)> told);

    /// Comes to terms with the server: asks by `server/discover`, and else, where it answers some error or nothing for
    /// `client_options::probe_timeout`, begins with `initialize`. Where a handler wants to hear of lists that change
    /// the client listens from then on, on its own (2026-07-28: `subscriptions/listen`). `server()` is known then.
    ///
    /// Fails with       client_errc::unsupported_version; errc::timeout: `client_options::handshake_timeout`; errc::
    ///                  already_started. The conversation is over then
    /// Cancellation     ends the conversation
    operation<void> start() const;
    /// Ends the conversation in order: what is under way goes on to its end, see `session::close`; a child process is
    /// ended. Completes when all has ended, and fails with what `session::async_run` fails with.
    operation<void> close() const;

    /// What the handshake told; it does not change. Throws `std::logic_error` before `start` has completed.
    const server_info& server() const;
    /// As `server()`.
    mcp::era era() const { return era_of(server().revision); }
    /// The revision that both have come to terms about.
    mcp::revision revision() const { return server().revision; }

    /// Asks whether the server is there. (2026-07-28: by `server/discover`.)
    operation<void> ping() const;
    /// Says from which level on the server is to log. From 2026-07-28 on the server is asked nothing: each call says
    /// so, by itself; `info` if this was not used, and nothing without `on_log`.
    operation<void> set_log_level(log_level level) const;

    /// Calls a tool. The arguments are a described struct, a `json::object`, `named("a", 1)`, or a `json_text`. That
    /// the tool has failed is an answer: `tool_answer::is_error`.
    ///
    /// With `client_options::check_results` a tool that is listed with an output schema (2025-06-18 and later) is to
    /// have a structured result that fits it, unless it has failed. Where the client has not seen the tool listed since
    /// the list last changed, or a call was refused as none that is listed so, it lists all tools before the call, and
    /// before it finds fault with a result it lists them again, all within the time of the call.
    ///
    /// Fails with       errc::timeout; errc::bad_params: the arguments are no object; client_errc::no_handler and
    ///                  too_many_rounds; what a handler that was asked throws. With `check_results`:
    ///                  client_errc::bad_result: the result does not fit, or, before anything is sent, the schema can't
    ///                  be checked by; what `tools` fails with before the call
    operation<tool_answer> call_tool(std::string name, call_params arguments = nullptr, call_hooks hooks = {}) const;
    /// Reads a resource. Fails as `call_tool` does.
    operation<resource_answer> read_resource(std::string uri, call_hooks hooks = {}) const;
    /// Gets a prompt. The arguments of one are strings: a described struct of them, a `json::object`, `named(...)`.
    /// Fails as `call_tool` does.
    operation<prompt_answer> get_prompt(std::string name, call_params arguments = nullptr, call_hooks hooks = {}) const;
    /// Makes any request of the protocol or of an extension, with what its era wants in `_meta`, and gives the result
    /// as it came. Fails as `call_tool` does.
    operation<json_text> request(std::string method, call_params params = nullptr, call_hooks hooks = {}) const;
    /// Asks what an argument may become that begins with `value`. `known`: arguments that have been filled in; left out
    /// for servers before 2025-06-18.
    operation<completion_answer> complete(completion_target of, std::string argument, std::string value,
                                          std::map<std::string, std::string> known = {}) const;

    /// Gets all tools, page by page.
    ///
    /// Fails with       client_errc::endless_list: `client_options::max_pages`, `max_list_bytes`, or a cursor came
    ///                  twice. The time in all is not bounded but by those: cancel it
    operation<std::vector<tool_info>> tools() const;
    /// Gets all resources. Fails as `tools` does.
    operation<std::vector<resource_info>> resources() const;
    /// Gets all resource templates. Fails as `tools` does.
    operation<std::vector<resource_template_info>> templates() const;
    /// Gets all prompts. Fails as `tools` does.
    operation<std::vector<prompt_info>> prompts() const;
    /// Gets a page of a list of `tool_info`, `resource_info`, `resource_template_info` or `prompt_info`; the first one
    /// without a cursor.
    template <listed T>
    operation<page<T>> list(std::optional<std::string> cursor = {}) const;

    /// Has the server tell of changes of a resource, to `on_resource_updated`. (2026-07-28: by a request that stays
    /// open, one for each resource, of which a server may bound the number.) Fails with client_errc::not_subscribed;
    /// 2026-07-28: with errc::timeout after `client_options::handshake_timeout`.
    operation<void> subscribe(std::string uri) const;
    /// Has the server tell of it no longer, whoever has subscribed. What is not subscribed to is nothing to do
    /// (2026-07-28).
    operation<void> unsubscribe(std::string uri) const;

    /// Forgets the results that are kept: what is asked from now on is asked of the server, such as for a user who
    /// wants to see what is there now, or has logged in as somebody else. From any thread.
    void forget_results() const;

    /// The session's: where its handlers run.
    boost::asio::any_io_executor get_executor() const;

private:
    friend struct detail::client_access;

    client(session over, client_options options);
    static session_options prepared(const client_options& options);

    void set(std::shared_ptr<detail::answering_function<elicit_answer, elicit_request>> function);
    void set(std::shared_ptr<detail::answering_function<elicit_action, page_request>> function);
    void set(std::shared_ptr<detail::answering_function<sampling_answer, sample_request>> function);
    const std::shared_ptr<client_core>& core() const;

    std::shared_ptr<client_core> core_; // null when moved from
};

} // namespace partyline::mcp
