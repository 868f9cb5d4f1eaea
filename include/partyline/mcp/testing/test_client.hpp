#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/answers.hpp>
#include <partyline/mcp/client/call_hooks.hpp>
#include <partyline/mcp/client/client_options.hpp>
#include <partyline/mcp/client/client_questions.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/mcp/detail/test_answer.hpp>
#include <partyline/mcp/log_level.hpp>
#include <partyline/mcp/server.hpp>
#include <partyline/mcp/testing/test_pending.hpp>
#include <partyline/mcp/testing/test_records.hpp>
#include <partyline/testing/errors.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boost::asio {
class io_context;
}

namespace partyline::mcp {

/// The options of a `test_client`, and of the session of the server that it makes.
struct test_client_options {
    /// The client's description of itself, its limits, its log. (The era is the one that the client was made with.)
    /// Unless told otherwise it checks structured results of tools against their output schemas, for which it lists the
    /// tools before it calls one that it has not seen. Tests that count requests, messages or runs of middleware count
    /// those `tools/list` too, list the tools first, or set `check_results` to false.
    client_options client = {.check_results = true};
    /// The options of the server's session: limits, log, user data. The server sets the profile.
    session_options server = {};
    /// Whether the client declares that its user can be given forms. A question of a kind that is not declared fails as
    /// with any client.
    bool can_elicit = true;
    /// Whether the client declares that its user can open pages.
    bool can_elicit_url = true;
    /// Whether the client declares that its model can be asked.
    bool can_sample = true;
    /// Whether the client declares that it has roots.
    bool can_list_roots = true;
    /// Extensions of the protocol that it declares, with their settings. The published schemas do not cover them: of
    /// their results and notifications only the envelope is checked. A call that is answered by a result of an
    /// extension's own type fails with `client_errc::unknown_result_type`, since nothing completes it here.
    std::map<std::string, boost::json::object> extensions = {};
    /// How long each call of the client may wait; `duration::max()` means for ever.
    std::chrono::steady_clock::duration time_limit = std::chrono::seconds(5);
    /// The `io_context` that the client's calls run; nothing else runs it meanwhile. It outlives the client. Null, as
    /// by default: one of the client's own; handlers have its executor as `context::get_executor`, or are given
    /// `test_client::get_executor`.
    boost::asio::io_context* context = nullptr;
};

/// A client for unit tests of MCP servers, with any test framework. Like `partyline::test::client` for a method table,
/// it begins a session of an `mcp::server` over memory, in the era that it is given, uses the session by an
/// `mcp::client` and real messages, and waits for the answers within a time limit.
///
///     for (mcp::era era : {mcp::era::legacy, mcp::era::modern}) {
///         mcp::test_client client(server, era);
///         client.answer("sure", confirm{true});                            // by the key of the question
///         assert(client.call("clean", clean_args{"/tmp"}).text() == "Deleted 4 files.");
///         assert(client.unused_answers().empty() && client.schema_problems().empty());
///     }
///
/// (The class is part of a library of its own, `partyline::mcp_test`, which contains the published schemas. Its
/// namespace is `partyline::mcp`, since the test kit of plain JSON-RPC is below that; a namespace `mcp::test` would
/// hide `partyline::test`.)
///
/// Everything runs on the calling thread, within the calls of this class; between them nothing happens. The client
/// starts no thread. (Tools with an executor of their own run there, and must have returned when the client is
/// destroyed.) A handler that does not return, and does not suspend, can't be interrupted: no time limit ends it.
///
/// Questions of a server are answered by the key that its handler gives them, in both eras. (In the legacy one the key
/// is no part of the protocol: the server's session here tells it in `_meta`, as "partyline/question".) In the modern
/// era a handler really runs again with the answers, so a one-time effect that comes too early in a handler happens
/// twice there.
///
/// Failures are exceptions with a sentence, thrown by the call: `rpc_error`, the error that the server has answered;
/// `unanswered_question`; any exception of a function that is to answer a question, but for an `rpc_error`, which
/// refuses the question (see `client`); `partyline::test::timed_out`, which names the event that has not come;
/// `boost::system::system_error` for other failures of `client`. The failure of a tool is an answer:
/// `tool_answer::is_error`.
///
/// Misuse throws `std::logic_error`: a client that was moved from; one that is to wait while it runs, asked by a
/// handler or a predicate.
///
/// Movable. Destroying it, not from within a handler, ends the conversation at once: calls in flight are cancelled, and
/// handlers waited for within the time limit. It does not throw. For an end in order see `end`.
/// Thread safety: one thread. Several clients of one server may be on threads of their own.
class PARTYLINE_EXPORT test_client {
public:
    /// Makes a client of that era and its session with the server, and sends the first request of the era:
    /// `initialize`, or `server/discover`. The client listens to the changes of lists. The server may be destroyed
    /// before the client.
    ///
    /// Fails with   the failures that are listed above
    test_client(const server& of, mcp::era how, test_client_options options = {});
    test_client(test_client&&) noexcept;
    test_client& operator=(test_client&&) noexcept;
    ~test_client();

    // Answers.

    /// Sets the answer to each question with this key from now on, in place of an earlier one. For a form: its content,
    /// a described struct or a `json::object`, which is checked against the form's schema; an `elicit_answer`; or an
    /// `elicit_action`, also for a page. For sampling: a `sampling_answer`, or its text. For a question for roots: a
    /// `std::vector<root>`. Or a function of the question, plain or a coroutine, as those that `client` is given:
    /// `elicit_answer f(const elicit_request&)`, `elicit_action f(const page_request&)`, `sampling_answer f(const
    /// sample_request&)`; its answer is sent as it is.
    template <class Answer>
    void answer(std::string key, Answer with)
    {
        set_answer(std::move(key), detail::make_test_answer(std::move(with)));
    }
    /// The keys of answers that no question has come for, in their alphabetical order.
    std::vector<std::string> unused_answers() const;
    /// The questions of the server so far, in order; a question that is asked again is listed again.
    const std::vector<seen_question>& questions() const;

    // Requests for the features of the server: see `client`.

    /// Calls a tool. The arguments are a described struct, a `json::object`, `named("a", 1)`, or a `json_text`.
    tool_answer call(std::string tool, call_params arguments = nullptr, call_hooks hooks = {})
    {
        return start_call(std::move(tool), std::move(arguments), std::move(hooks)).get();
    }
    /// Calls a tool that is expected to be answered with an error, and waits for that.
    ///
    /// Fails with   test::unexpected_result
    error_object error_of(std::string tool, call_params arguments = nullptr)
    {
        return start_call(std::move(tool), std::move(arguments)).error();
    }
    /// Starts a call without waiting for anything: it is sent when the client runs next, after a request for the tools
    /// where the client has to see them first. Calls are sent in order, but for those that wait for such a list: others
    /// that are started later may be sent before them.
    pending_answer<tool_answer> start_call(std::string tool, call_params arguments = nullptr, call_hooks hooks = {});

    /// All tools, of all pages.
    std::vector<tool_info> tools();
    /// All resources.
    std::vector<resource_info> resources();
    /// All templates.
    std::vector<resource_template_info> templates();
    /// All prompts.
    std::vector<prompt_info> prompts();
    /// A page of a list, the first one without a cursor.
    template <listed T>
    page<T> list(std::optional<std::string> cursor = {});

    /// Reads a resource.
    resource_answer read_resource(std::string uri, call_hooks hooks = {});
    /// Gets a prompt. The arguments are strings.
    prompt_answer get_prompt(std::string name, call_params arguments = nullptr, call_hooks hooks = {});
    /// Asks for completions of an argument.
    completion_answer complete(completion_target of, std::string argument, std::string value,
                               std::map<std::string, std::string> known = {});
    /// Subscribes to changes of a resource: see `changes`.
    void subscribe(std::string uri);
    /// Ends the subscription to changes of a resource.
    void unsubscribe(std::string uri);
    /// Sets the level from which on the server logs: see `logged`.
    void set_log_level(log_level level);
    /// Pings the server.
    void ping();

    /// Makes any request, with the members of `_meta` that its era wants.
    json_text request(std::string method, call_params params = nullptr, call_hooks hooks = {})
    {
        return start_request(std::move(method), std::move(params), std::move(hooks)).get();
    }
    /// Starts a request without waiting for anything, as `start_call` does.
    pending_answer<json_text> start_request(std::string method, call_params params = nullptr, call_hooks hooks = {});

    /// The server's description, from the handshake.
    const server_info& server() const;
    /// The era of the server's revision.
    mcp::era era() const { return era_of(server().revision); }
    /// The revision in use, as `server()` has it.
    mcp::revision revision() const { return server().revision; }

    // Messages of the server so far, in order. These records are up to date after each call; after a call of the server
    // itself, such as `server::resource_updated`, when the client has run: see `run_until_idle`.

    /// The log messages of the server.
    const std::vector<log_entry>& logged() const;
    /// The progress of all calls and requests.
    const std::vector<seen_progress>& progress() const;
    /// The changes that the server has told.
    const seen_changes& changes() const;

    /// Every message in either direction.
    const std::vector<seen_message>& messages() const;
    /// Violations of the published schema of the revision in force in these messages: a line for each message that does
    /// not fit, with its sender, the place, and what was expected. (The first call of a process for a revision reads
    /// its schema, which takes some milliseconds.)
    std::vector<std::string> schema_problems() const;

    // Running.

    /// Runs everything that can run without waiting for a timer, for a thread, or for anything else.
    ///
    /// Fails with   test::timed_out: there is no end of it; unanswered_question
    void run_until_idle();
    /// Runs until the predicate, which is asked after each step, is true.
    ///
    /// Fails with   test::timed_out, unanswered_question
    void run_until(const std::function<bool()>& predicate);

    /// Ends the conversation as a client does that closes its side, and waits for the server's end: the server finishes
    /// requests in flight within `session_options::drain_timeout`. Returns how the server's `session::async_run`
    /// completed, also when it is called again. Later calls fail with `errc::session_closed`.
    ///
    /// Fails with   test::timed_out
    error_code end();

    /// The executor of the client and of its session, for the timers and gates of a test.
    boost::asio::any_io_executor get_executor() const;
    /// How long each call may wait from now on; `duration::max()` means for ever.
    void set_time_limit(std::chrono::steady_clock::duration most);

private:
    void set_answer(std::string key, detail::test_answer what);
    served_client& served() const;

    std::shared_ptr<served_client> served_; // null when moved from
};

} // namespace partyline::mcp
