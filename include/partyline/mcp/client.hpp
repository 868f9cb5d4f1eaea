#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/client/client_errc.hpp>
#include <partyline/mcp/client/client_options.hpp>
#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/mcp/detail/client_function.hpp>
#include <partyline/mcp/detail/client_operation.hpp>
#include <partyline/mcp/error_codes.hpp>
#include <partyline/session.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace partyline::mcp {

class client;

namespace detail {

template <class T>
concept client_stream =
    !std::same_as<T, client> && !std::same_as<T, session> && requires(T& stream) { stream.get_executor(); };

/// What opens the way to a server: `http::mcp_client` is one.
template <class T>
concept session_opener = requires(T opener, session_options options) {
    { std::move(opener).open(std::move(options)) } -> std::same_as<session>;
};

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
/// Each operation is there twice. `async_x(..., token)` takes a completion token, and what the server answers as an
/// error is a value. `x(...)` is a task, and throws: the server's error as `rpc_error`, anything else as
/// `boost::system::system_error`, whose text has the details. For both:
///
/// Completes with   void(error_code, call_result<T>), from what the operation says it gives: a `T`; never from within
/// Fails with       what `caller::async_call` fails with; client_errc::not_started; client_errc::bad_result and
///                  unknown_result_type: the details name the place. A server that has died: errc::peer_closed, or how
///                  the child ended, see `child_exit`. What takes no `call_hooks`: errc::timeout, after
///                  `client_options::request_timeout` for each request it makes
/// Cancellation     terminal, partial, total: the server is told, handlers that answer it are cancelled, and the
///                  operation completes with operation_aborted
/// Before           `start` has completed, unless it is `start` or `close`
/// Lifetime         the arguments are copied or moved in. The client may be moved or destroyed meanwhile; destroying it
///                  completes what is under way with errc::session_closed, and no handler is called any more
/// Threads          any; the handler runs on its associated executor, by default the session's. (A task: where it is
///                  awaited.) Moving and destroying the client: while nobody else is using it
///
/// Handlers, `on_x`, are set before `start`: what has none is not declared to the server. They run on the session's
/// executor. What answers a question may be a coroutine (`task`, `asio::awaitable`), and several are asked at a time;
/// what it throws ends the call that is about it, or, before 2026-07-28, is answered to the server. Setting one after
/// that throws `std::logic_error`.
///
/// Movable; one that was moved from throws `std::logic_error` when it is used. Destroying it ends the conversation at
/// once: a child process is killed. See `close`. The `io_context` must outlive it.
///
/// (The header is longer than others: each operation stands here twice, and the contract beside it.)
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

    /// Sets what answers forms: `elicit_answer f(const elicit_request&)`.
    ///
    ///     client.on_elicit([](const mcp::elicit_request& asked) -> partyline::task<mcp::elicit_answer> {
    ///         co_return mcp::elicit_answer::accept(co_await fill_in(asked.message, asked.schema));
    ///     });
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

    // The conversation.

    /// Comes to terms with the server: asks by `server/discover`, and else, where it answers some error or nothing for
    /// `client_options::probe_timeout`, begins with `initialize`. Where a handler wants to hear of lists that change
    /// the client listens from then on, on its own (2026-07-28: `subscriptions/listen`).
    ///
    /// Gives            nothing: `server()` is known from then on
    /// Fails with       client_errc::unsupported_version; errc::timeout: `client_options::handshake_timeout`; errc::
    ///                  already_started. The conversation is over then
    /// Cancellation     ends the conversation
    template <class Token = boost::asio::deferred_t>
    auto async_start(Token&& token = {})
    {
        return operate(work_start(), std::forward<Token>(token));
    }
    /// `async_start` as a task.
    task<void> start() { return run(work_start()); }

    /// What the handshake told; it does not change. Throws `std::logic_error` before `start` has completed.
    const server_info& server() const;
    /// As `server()`.
    mcp::era era() const { return era_of(server().revision); }
    /// The revision that both have come to terms about.
    mcp::revision revision() const { return server().revision; }

    /// Ends the conversation in order: what is under way goes on to its end, see `session::close`; a child process is
    /// ended.
    ///
    /// Gives            nothing, when all has ended
    /// Fails with       what `session::async_run` fails with
    template <class Token = boost::asio::deferred_t>
    auto async_close(Token&& token = {})
    {
        return operate(work_close(), std::forward<Token>(token));
    }
    /// `async_close` as a task.
    task<void> close() { return run(work_close()); }

    /// Asks whether the server is there. (2026-07-28: by `server/discover`.)
    ///
    /// Gives            nothing
    template <class Token = boost::asio::deferred_t>
    auto async_ping(Token&& token = {})
    {
        return operate(work_ping(), std::forward<Token>(token));
    }
    /// `async_ping` as a task.
    task<void> ping() { return run(work_ping()); }

    /// Says from which level on the server is to log. From 2026-07-28 on the server is asked nothing: each call says
    /// so, by itself; `info` if this was not used, and nothing without `on_log`.
    ///
    /// Gives            nothing
    template <class Token = boost::asio::deferred_t>
    auto async_set_log_level(log_level level, Token&& token = {})
    {
        return operate(work_set_log_level(level), std::forward<Token>(token));
    }
    /// `async_set_log_level` as a task.
    task<void> set_log_level(log_level level) { return run(work_set_log_level(level)); }

    // Tools.

    /// Calls a tool. The arguments are a described struct, a `json::object`, `named("a", 1)`, or a `json_text`.
    ///
    /// Gives            tool_answer. That the tool has failed is an answer: `tool_answer::is_error`
    /// Fails with       errc::timeout; errc::bad_params: the arguments are no object; client_errc::no_handler and
    ///                  too_many_rounds; what a handler that was asked throws
    template <class Token = boost::asio::deferred_t>
    auto async_call_tool(std::string name, call_params arguments, call_hooks hooks, Token&& token = {})
    {
        return operate(work_call_tool(std::move(name), std::move(arguments), std::move(hooks)),
                       std::forward<Token>(token));
    }
    /// `async_call_tool` as a task.
    task<tool_answer> call_tool(std::string name, call_params arguments = nullptr, call_hooks hooks = {})
    {
        return run(work_call_tool(std::move(name), std::move(arguments), std::move(hooks)));
    }

    // Lists, of `tool_info`, `resource_info`, `resource_template_info` and `prompt_info`.

    /// Gets a page of a list; the first one without a cursor.
    ///
    /// Gives            page<T>
    template <listed T, class Token = boost::asio::deferred_t>
    auto async_list(std::optional<std::string> cursor, Token&& token = {})
    {
        return operate(work_list<T>(std::move(cursor)), std::forward<Token>(token));
    }
    /// `async_list` as a task.
    template <listed T>
    task<page<T>> list(std::optional<std::string> cursor = {})
    {
        return run(work_list<T>(std::move(cursor)));
    }

    /// Gets all pages of a list, one after the other.
    ///
    /// Gives            std::vector<T>
    /// Fails with       client_errc::endless_list: `client_options::max_pages`, `max_list_bytes`, or a cursor came
    ///                  twice. The time in all is not bounded but by those: cancel it
    template <listed T, class Token = boost::asio::deferred_t>
    auto async_list_all(Token&& token = {})
    {
        return operate(work_list_all<T>(), std::forward<Token>(token));
    }
    /// `async_list_all` of tools, as a task.
    task<std::vector<tool_info>> tools() { return run(work_list_all<tool_info>()); }
    /// The same of resources.
    task<std::vector<resource_info>> resources() { return run(work_list_all<resource_info>()); }
    /// The same of templates.
    task<std::vector<resource_template_info>> templates() { return run(work_list_all<resource_template_info>()); }
    /// The same of prompts.
    task<std::vector<prompt_info>> prompts() { return run(work_list_all<prompt_info>()); }

    // Resources and prompts.

    /// Reads a resource.
    ///
    /// Gives            resource_answer
    /// Fails with       as `async_call_tool`
    template <class Token = boost::asio::deferred_t>
    auto async_read_resource(std::string uri, call_hooks hooks, Token&& token = {})
    {
        return operate(work_read_resource(std::move(uri), std::move(hooks)), std::forward<Token>(token));
    }
    /// `async_read_resource` as a task.
    task<resource_answer> read_resource(std::string uri, call_hooks hooks = {})
    {
        return run(work_read_resource(std::move(uri), std::move(hooks)));
    }

    /// Has the server tell of changes of a resource, to `on_resource_updated`. (2026-07-28: by a request that stays
    /// open, one for each resource; a server may bound how many there are.)
    ///
    /// Gives            nothing
    /// Fails with       client_errc::not_subscribed; 2026-07-28: errc::timeout, after
    ///                  `client_options::handshake_timeout`
    template <class Token = boost::asio::deferred_t>
    auto async_subscribe(std::string uri, Token&& token = {})
    {
        return operate(work_subscribe(std::move(uri)), std::forward<Token>(token));
    }
    /// `async_subscribe` as a task.
    task<void> subscribe(std::string uri) { return run(work_subscribe(std::move(uri))); }
    /// Has the server tell of it no longer, whoever has subscribed. What is not subscribed to is nothing to do
    /// (2026-07-28).
    ///
    /// Gives            nothing
    template <class Token = boost::asio::deferred_t>
    auto async_unsubscribe(std::string uri, Token&& token = {})
    {
        return operate(work_unsubscribe(std::move(uri)), std::forward<Token>(token));
    }
    /// `async_unsubscribe` as a task.
    task<void> unsubscribe(std::string uri) { return run(work_unsubscribe(std::move(uri))); }

    /// Gets a prompt. The arguments of one are strings: a described struct of them, a `json::object`, `named(...)`.
    ///
    /// Gives            prompt_answer
    /// Fails with       as `async_call_tool`
    template <class Token = boost::asio::deferred_t>
    auto async_get_prompt(std::string name, call_params arguments, call_hooks hooks, Token&& token = {})
    {
        return operate(work_get_prompt(std::move(name), std::move(arguments), std::move(hooks)),
                       std::forward<Token>(token));
    }
    /// `async_get_prompt` as a task.
    task<prompt_answer> get_prompt(std::string name, call_params arguments = nullptr, call_hooks hooks = {})
    {
        return run(work_get_prompt(std::move(name), std::move(arguments), std::move(hooks)));
    }

    /// Asks what an argument may become that begins with `value`. `known`: arguments that have been filled in; left out
    /// for servers before 2025-06-18.
    ///
    /// Gives            completion_answer
    template <class Token = boost::asio::deferred_t>
    auto async_complete(completion_target of, std::string argument, std::string value,
                        std::map<std::string, std::string> known, Token&& token = {})
    {
        return operate(work_complete(std::move(of), std::move(argument), std::move(value), std::move(known)),
                       std::forward<Token>(token));
    }
    /// `async_complete` as a task.
    task<completion_answer> complete(completion_target of, std::string argument, std::string value,
                                     std::map<std::string, std::string> known = {})
    {
        return run(work_complete(std::move(of), std::move(argument), std::move(value), std::move(known)));
    }

    /// Makes any request of the protocol or of an extension, with what its era wants in `_meta`.
    ///
    /// Gives            json_text: the result as it came
    /// Fails with       as `async_call_tool`
    template <class Token = boost::asio::deferred_t>
    auto async_request(std::string method, call_params params, call_hooks hooks, Token&& token = {})
    {
        return operate(work_request(std::move(method), std::move(params), std::move(hooks)),
                       std::forward<Token>(token));
    }
    /// `async_request` as a task.
    task<json_text> request(std::string method, call_params params = nullptr, call_hooks hooks = {})
    {
        return run(work_request(std::move(method), std::move(params), std::move(hooks)));
    }

    /// The session's: where its handlers run.
    boost::asio::any_io_executor get_executor() const;

private:
    client(session over, client_options options);
    static session_options prepared(const client_options& options);

    void set(std::shared_ptr<detail::answering_function<elicit_answer, elicit_request>> function);
    void set(std::shared_ptr<detail::answering_function<elicit_action, page_request>> function);
    void set(std::shared_ptr<detail::answering_function<sampling_answer, sample_request>> function);

    template <class T, class Token>
    auto operate(task<T> work, Token&& token)
    {
        return boost::asio::async_initiate<Token, void(error_code, call_result<T>)>(
            [](auto handler, std::shared_ptr<client_core> core, task<T> what) {
                detail::start_operation<T>(std::move(core), std::move(what), std::move(handler));
            },
            token, core_, std::move(work));
    }
    template <class T>
    task<T> run(task<T> work)
    {
        return detail::run_operation(core_, std::move(work));
    }

    task<void> work_start() const;
    task<void> work_close() const;
    task<void> work_ping() const;
    task<void> work_set_log_level(log_level level) const;
    task<tool_answer> work_call_tool(std::string name, call_params arguments, call_hooks hooks) const;
    template <class T>
    task<page<T>> work_list(std::optional<std::string> cursor) const;
    template <class T>
    task<std::vector<T>> work_list_all() const;
    task<resource_answer> work_read_resource(std::string uri, call_hooks hooks) const;
    task<void> work_subscribe(std::string uri) const;
    task<void> work_unsubscribe(std::string uri) const;
    task<prompt_answer> work_get_prompt(std::string name, call_params arguments, call_hooks hooks) const;
    task<completion_answer> work_complete(completion_target of, std::string argument, std::string value,
                                          std::map<std::string, std::string> known) const;
    task<json_text> work_request(std::string method, call_params params, call_hooks hooks) const;
    client_core& core() const;

    std::shared_ptr<client_core> core_; // null when moved from
};

} // namespace partyline::mcp
