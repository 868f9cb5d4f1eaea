#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/log_level.hpp>
#include <partyline/mcp/questions.hpp>
#include <partyline/mcp/server/requester.hpp>
#include <partyline/rpc/detail/checked_value.hpp>
#include <partyline/rpc/detail/function_traits.hpp>
#include <partyline/rpc/detail/read_result.hpp>
#include <partyline/session/request_context.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace partyline::mcp {

namespace detail {

class served_call;

/// A question with a place for its answer.
struct open_question {
    const question* asked;
    bool (*read)(const boost::json::value& from, void* into); ///< false where it does not fit
    void* into;
};

template <class Question>
bool read_answer(const boost::json::value& from, void* into)
{
    auto& answer = *static_cast<std::optional<typename Question::answer_type>*>(into);
    answer = Question::read(from);
    return answer.has_value();
}

template <class F>
using result_of_once = typename partyline::detail::awaited<std::invoke_result_t<F&>>::type;

/// Reads a value that an earlier run has kept. Throws `rpc_error` where the value was of another type.
template <class T>
T read_kept(const boost::json::value& kept)
{
    error_object mismatch;
    std::optional<T> value = partyline::detail::read_tolerantly<T>(kept, mismatch);
    if (!value)
        throw rpc_error(std::move(mismatch));
    return std::move(*value);
}

} // namespace detail

/// The request that a handler of a tool, a resource or a prompt serves, and functions to notify and ask its client.
/// Valid until the handler has ended; a handler takes it by reference, as its first parameter.
///
/// Questions. In a session that began with `initialize` the client is asked while the handler waits. From 2026-07-28 on
/// a server asks by its answer: the call ends with the questions, and the client calls again with the answers. Then the
/// handler runs once more from its beginning, and its questions are answered at once. So the code before the last
/// question of a handler may run several times; code that must run once comes after that question, or is in `once`.
/// A handler does not catch the exceptions of questions, or rethrows them: its questions decide about the answer,
/// however it ends.
///
/// Thread safety: one handler uses it from one thread at a time; `cancelled()` and `stopping()` may be called from any.
///
///     partyline::task<std::string> clean(mcp::context& context, clean_args what)
///     {
///         const std::vector<std::string> files = files_in(what.folder);
///         const std::string how_many = std::to_string(files.size());
///         const auto sure = co_await context.elicit<confirm>("sure", "Delete " + how_many + " files?");
///         if (!sure || !sure->yes)
///             throw mcp::tool_error("Nothing was deleted.");
///         remove(files); // once: nothing is asked behind this
///         co_return "Deleted.";
///     }
class PARTYLINE_EXPORT context : public requester {
public:
    /// For the library's own.
    context(detail::served_call& of, boost::intrusive_ptr<const client_facts> client) noexcept;
    context(const context&) = delete;
    context& operator=(const context&) = delete;

    /// See `request_context`.
    bool cancelled() const noexcept { return rpc().cancelled(); }
    /// See `request_context::throw_if_cancelled`.
    void throw_if_cancelled() const { rpc().throw_if_cancelled(); }
    /// See `request_context::stopping`.
    bool stopping() const noexcept { return rpc().stopping(); }
    /// The executor of this handler: see `request_context::get_executor`.
    boost::asio::any_io_executor get_executor() const { return rpc().get_executor(); }
    /// See `request_context::user_data`.
    template <class T>
    T* user_data() noexcept
    {
        return rpc().template user_data<T>();
    }
    /// The request as JSON-RPC has it.
    request_context& rpc() const noexcept;
    /// For the library's own.
    detail::served_call& call() const noexcept { return of_; }

    /// Reports progress to the client. Nothing is sent where the client did not ask for progress, nor where `done` has
    /// not grown since the last time. Newer progress replaces older progress that has not been sent.
    ///
    /// Completes with   void; it never suspends
    /// Fails with       std::invalid_argument, thrown at once: a number that is not finite
    /// Lifetime         the text is read before this returns
    /// Threads          from where the handler runs; a plain function may call it and ignore what it returns
    sending progress(double done, std::optional<double> total = {}, std::string_view message = {});

    /// Sends a message for the client's log, if the client wants messages of this level: it says so by
    /// `logging/setLevel`, from 2026-07-28 on by a member of each request. Never log secrets.
    ///
    /// Otherwise as `request_context::notify`.
    sending log(log_level level, std::string_view text, std::string_view logger = {});
    /// Sends a message with an object in place of the text.
    sending log(log_level level, const boost::json::object& data, std::string_view logger = {});

    /// Asks several questions at once: `auto [who, words] = co_await c.ask(mcp::form<name>("who", "Your name?"),
    /// mcp::sample("words", wish))`. Keys are those of the handler, each for one question.
    ///
    /// Completes with   a tuple of the answers: `form_answer<T>`, `elicit_action`, `sampling_answer`,
    ///                  `std::vector<root>`
    /// Fails with       tool_error: the client can't be asked such a question, has refused, or has given an answer that
    ///                  does not fit; the handler lets any other exception through
    /// Cancellation     that of the request
    /// Lifetime         the questions are taken over
    /// Threads          from where the handler runs
    template <class... Question>
    task<std::tuple<typename Question::answer_type...>> ask(Question... questions)
    {
        static_assert(sizeof...(Question) != 0,
                      "ask() takes the questions: ask(mcp::form<name>(\"who\", \"Your name?\"))");
        std::tuple<std::optional<typename Question::answer_type>...> answers;
        auto open = std::apply(
            [&](auto&... answer) {
                return std::array<detail::open_question, sizeof...(Question)>{
                    detail::open_question{&questions, &detail::read_answer<Question>, &answer}...};
            },
            answers);
        co_await ask_all(open.data(), open.size());
        co_return std::apply(
            [](auto&... answer) { return std::tuple<typename Question::answer_type...>(std::move(answer.value())...); },
            answers);
    }

    // One question each.

    /// Has the user fill in a form: `auto sure = co_await c.elicit<confirm>("sure", "Delete 4 files?");`
    template <class T>
    task<form_answer<T>> elicit(std::string key, std::string message)
    {
        return ask_one(form<T>(std::move(key), std::move(message)));
    }
    /// Has the user open a page.
    task<elicit_action> elicit_url(std::string key, std::string message, std::string address);
    /// Asks the client's model for a message.
    task<sampling_answer> sample(std::string key, const sampling_request& what);
    /// The client's roots.
    task<std::vector<root>> roots(std::string key);

    /// Calls `f`, which returns a value or is a coroutine, unless an earlier run of this handler has done so: then
    /// returns the result of that call. Kept results travel by way of the client, signed and not secret.
    ///
    /// Completes with   the result of `f`
    /// Fails with       the exception of `f`
    /// Cancellation, threads   those of `f`
    template <class F>
    task<detail::result_of_once<F>> once(std::string key, F f)
    {
        using result = detail::result_of_once<F>;
        if (const boost::json::value* const kept = find_kept(key)) {
            co_return detail::read_kept<result>(*kept);
        }
        if constexpr (partyline::detail::awaited<std::invoke_result_t<F&>>::is_coroutine) {
            result made = co_await f();
            keep(std::move(key), partyline::detail::checked_value(made));
            co_return made;
        } else {
            result made = f();
            keep(std::move(key), partyline::detail::checked_value(made));
            co_return made;
        }
    }

    /// The state that an earlier run has kept by `set_state`; for handlers that go from step to step instead of asking
    /// and being run again. The state travels as the results that `once` keeps do. Empty in the first run, and in the
    /// legacy era.
    template <class T>
    std::optional<T> state() const
    {
        const boost::json::value* const kept = find_state();
        if (!kept)
            return std::nullopt;
        return detail::read_kept<T>(*kept);
    }
    /// Keeps a state for the next run, in place of the one before. In the legacy era nothing is kept: there is no next
    /// run.
    template <class T>
    void set_state(const T& next)
    {
        keep_state(partyline::detail::checked_value(next));
    }
    /// The number of this run of the handler, from 1 on.
    int round() const noexcept;

private:
    friend class detail::served_call;

    template <class Question>
    task<typename Question::answer_type> ask_one(Question question)
    {
        std::optional<typename Question::answer_type> answer;
        detail::open_question open{&question, &detail::read_answer<Question>, &answer};
        co_await ask_all(&open, 1);
        co_return std::move(answer.value());
    }

    bool is_logged(log_level level) const;
    sending send_log(log_level level, boost::json::value data, std::string_view logger);
    task<void> ask_all(detail::open_question* questions, std::size_t count);
    const boost::json::value* find_kept(std::string_view key) const;
    void keep(std::string key, boost::json::value result);
    const boost::json::value* find_state() const noexcept;
    void keep_state(boost::json::value next);

    detail::served_call& of_;
};

} // namespace partyline::mcp

namespace partyline::detail {

template <>
inline constexpr bool is_handler_context<partyline::mcp::context> = true;

} // namespace partyline::detail
