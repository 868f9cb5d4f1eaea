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

/// A client of a server of the Model Context Protocol, for the server's tools, resources and prompts. Servers may begin
/// with `initialize` (2024-11-05 to 2025-11-25) or not (2026-07-28).
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
/// Fails with       the errors of `caller::call`; client_errc::not_started; client_errc::bad_result and
///                  unknown_result_type: the details name the place; errc::peer_closed, or a `child_exit` code: the
///                  server has died, also before the operation began; errc::timeout: a request of an operation without
///                  `call_hooks` took longer than `client_options::request_timeout`
/// Cancellation     terminal, partial, total: the server is told, handlers that answer it are cancelled, and the
///                  operation completes with operation_aborted
/// Before           `start` has completed, unless it is `start` or `close`
/// Lifetime         the arguments are copied or moved in. The client may be moved or destroyed meanwhile; destroying it
///                  completes operations under way with errc::session_closed, and no handler is called any more
/// Threads          any; the handler runs on its associated executor, by default the session's, and a coroutine goes on
///                  where it was. Moving and destroying the client: while nobody else is using it
///
/// Handlers, `on_x`, are set before `start`; setting one later throws `std::logic_error`. A capability without a
/// handler is not declared to the server. Handlers run on the session's executor. A handler of questions may be a
/// coroutine (`task`, `asio::awaitable`), and may run for several questions at a time; its exception fails the call
/// that the question belongs to, or, before 2026-07-28, is answered to the server.
///
/// Results are cached where `client_options::cache_bytes` is set: a server of 2026-07-28 says for how long a result is
/// good (`ttlMs`). For that time cached lists, page by page, and cached contents of resources answer the same request
/// in place of the server. Requests whose `call_hooks` have a `log_level` or `meta`, which the server is to see, always
/// go to the server, as `start` and `ping` do; their results, and results that came after questions of the server, are
/// not cached. Cached results are dropped when the server notifies of a change, whether or not there is a handler for
/// it; when its notifications begin (after `start`, `subscribe`, or a gap); when it refuses a call or a reading as not
/// matching its list; and by `forget_results`. The cache belongs to this client, which speaks for one principal, so
/// results of either `cacheScope` are cached.
///
/// Movable; one that was moved from throws `std::logic_error` when it is used. Destroying it ends the conversation at
/// once: a child process is killed. See `close`. The `io_context` must outlive it. `supervised_client` restarts a
/// server that has died.
class PARTYLINE_EXPORT client {
public:
    /// Communicates over `stream`, any Asio stream, which is moved in.
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
    /// Starts a server as a `child_process`, and throws as that does where the server can't be started.
    client(boost::asio::any_io_executor executor, std::vector<std::string> command, client_options options = {})
        : client(child_process(std::move(executor), std::move(command)), std::move(options))
    {
    }
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client();

    // Questions of the server. A server of 2026-07-28 asks by its answers to calls: its requests are dropped, and
    // logged.

    /// Sets the handler of forms: `elicit_answer f(const elicit_request&)`, or a coroutine with that result.
    template <class F>
    void on_elicit(F function)
    {
        set(detail::bind_answering<elicit_answer, elicit_request>(std::move(function)));
    }
    /// Sets the handler of pages that the user is asked to open: `elicit_action f(const page_request&)`. Accepting says
    /// that the user has agreed to open the page.
    template <class F>
    void on_elicit_page(F function)
    {
        set(detail::bind_answering<elicit_action, page_request>(std::move(function)));
    }
    /// Sets the handler of requests to the client's model: `sampling_answer f(const sample_request&)`.
    template <class F>
    void on_sample(F function)
    {
        set(detail::bind_answering<sampling_answer, sample_request>(std::move(function)));
    }
    /// Sets the roots that the server may work in: for the first time before `start`, and again at any time, from any
    /// thread. The server is then notified of the change (2026-07-28: it asks anew with each call). Throws
    /// `std::logic_error` where the first time is after `start`.
    void set_roots(std::vector<root> roots);

    /// Declares an extension of the protocol (SEP-2133) to the server: in the handshake, from 2026-07-28 on with each
    /// request. Before `start`. `methods` serve the server's notifications of the extension, and, before 2026-07-28,
    /// its requests: unknown members of params are ignored unless the options of the method say otherwise.
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
    /// Throws `std::logic_error` after `start`, `std::invalid_argument` in the cases in which `server::add_extension`
    /// throws it, and for a function for results that is empty, or whose type has a function already or is the
    /// protocol's own.
    client_extension add_extension(std::string name, boost::json::object settings = {}, method_table methods = {},
                                   client_extension_options how = {});

    // Functions for the server's notifications. Their exceptions go to the session's log.

    /// Sets the function for messages for the log. Malformed messages are dropped.
    void on_log(std::function<void(const log_entry&)> told);
    /// Sets the function that is called when the list of tools has changed, or may have changed while the client did
    /// not listen (2026-07-28).
    void on_tools_changed(std::function<void()> told);
    /// Sets the function that is called when the list of prompts has changed, or may have changed, as for tools.
    void on_prompts_changed(std::function<void()> told);
    /// Sets the function that is called when the list of resources or that of templates has changed, or may have
    /// changed, as for tools.
    void on_resources_changed(std::function<void()> told);
    /// Sets the function that is called when a resource with a subscription, or one below it, has changed.
    void on_resource_updated(std::function<void(const std::string& uri)> told);
    /// Sets the function that is called when the user has finished with a page: with its `page_request::id` (2025-11-25
    /// alone). Called once for each page that the server has asked for and that was not declined, of the last thousand
    /// unfinished ones.
    void on_page_done(std::function<void(const std::string& id)> told);
    /// Sets the function that is called when the conversation has ended, by itself or not, with the code that
    /// `session::async_run` completes with.
    void on_ended(std::function<void(error_code)> told);

    /// Agrees with the server on a revision: asks by `server/discover`, and where the server answers some error, or
    /// nothing for `client_options::probe_timeout`, begins with `initialize`. Where there is a handler for changes of
    /// lists, the client listens for changes from then on, automatically (2026-07-28: `subscriptions/listen`). After
    /// that `server()` is known.
    ///
    /// Fails with       client_errc::unsupported_version; errc::timeout: `client_options::handshake_timeout`; errc::
    ///                  already_started. Then the conversation has ended
    /// Cancellation     ends the conversation
    operation<void> start() const;
    /// Ends the conversation in order: operations under way go on until they end, see `session::close`; a child process
    /// is ended. Completes when all of them have ended, and fails as `session::async_run` does.
    operation<void> close() const;

    /// The server's description from the handshake, which does not change. Throws `std::logic_error` before `start` has
    /// completed.
    const server_info& server() const;
    /// The era of the server's revision. Throws as `server()`.
    mcp::era era() const { return era_of(server().revision); }
    /// The revision that both sides have agreed on. Throws as `server()`.
    mcp::revision revision() const { return server().revision; }

    /// Pings the server. (2026-07-28: by `server/discover`.)
    operation<void> ping() const;
    /// Sets the level from which on the server is to log. From 2026-07-28 on this sends nothing: each call has the
    /// level; `info` if this was not used, and none without `on_log`.
    operation<void> set_log_level(log_level level) const;

    /// Calls a tool. The arguments are a described struct, a `json::object`, `named("a", 1)`, or a `json_text`. The
    /// failure of a tool is an answer: `tool_answer::is_error`.
    ///
    /// With `client_options::check_results` a tool that is listed with an output schema (2025-06-18 and later) must
    /// have a structured result that fits the schema, unless the tool has failed. The client lists all tools before the
    /// call where it has not listed the tool since the list last changed, or since the server refused a call as not
    /// matching its list; and it lists them again before it rejects a result. All of this counts in the time of the
    /// call.
    ///
    /// Fails with       errc::timeout; errc::bad_params: the arguments are no object; client_errc::no_handler and
    ///                  too_many_rounds; the exception of a handler that answers a question. With `check_results`:
    ///                  client_errc::bad_result: the result does not fit, or the schema can't be used for checks, which
    ///                  is found before anything is sent; the errors of `tools`, before the call
    operation<tool_answer> call_tool(std::string name, call_params arguments = nullptr, call_hooks hooks = {}) const;
    /// Reads a resource. Fails as `call_tool` does.
    operation<resource_answer> read_resource(std::string uri, call_hooks hooks = {}) const;
    /// Gets a prompt. The arguments are strings: a described struct of them, a `json::object`, `named(...)`. Fails as
    /// `call_tool` does.
    operation<prompt_answer> get_prompt(std::string name, call_params arguments = nullptr, call_hooks hooks = {}) const;
    /// Makes any request of the protocol or of an extension, with the members of `_meta` that its era wants, and
    /// returns the result as it came. Fails as `call_tool` does.
    operation<json_text> request(std::string method, call_params params = nullptr, call_hooks hooks = {}) const;
    /// Asks for completions of an argument that begins with `value`. `known`: the arguments that have been filled in;
    /// left out for servers before 2025-06-18.
    operation<completion_answer> complete(completion_target of, std::string argument, std::string value,
                                          std::map<std::string, std::string> known = {}) const;

    /// Gets all tools, page by page.
    ///
    /// Fails with       client_errc::endless_list: `client_options::max_pages`, `max_list_bytes`, or a cursor came
    ///                  twice. The total time has no other bound: cancel the operation to end it
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

    /// Subscribes to changes of a resource, for `on_resource_updated`. (2026-07-28: by a request that stays open, one
    /// for each resource, of which a server may bound the number.) Fails with client_errc::not_subscribed; 2026-07-28:
    /// with errc::timeout after `client_options::handshake_timeout`.
    operation<void> subscribe(std::string uri) const;
    /// Ends the subscription to a resource, whichever code has subscribed. Does nothing without a subscription
    /// (2026-07-28).
    operation<void> unsubscribe(std::string uri) const;

    /// Drops the cached results, so that later requests go to the server: for example for a user who wants current
    /// results, or has logged in as somebody else. May be called from any thread.
    void forget_results() const;

    /// The executor of the session, on which its handlers run.
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
