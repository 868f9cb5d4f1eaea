#pragma once

#include <partyline/config.hpp>
#include <partyline/session/caller.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace partyline::lsp {

class client_info;

/// Details of the beginning of a piece of work, besides its title (LSP 3.17, WorkDoneProgressBegin).
struct work_details {
    /// The present step of the work.
    std::string message = {};
    /// The percentage, 0 to 100. Without one the work is of unknown length, and later percentages are ignored.
    std::optional<unsigned> percentage = {};
    /// Whether the client is to offer its user to cancel.
    bool is_cancellable = false;
};

/// Values of `$/progress` for work done. Throws `std::invalid_argument` for a percentage above 100.
PARTYLINE_EXPORT boost::json::value begin_value(std::string title);
/// A beginning with more than a title.
PARTYLINE_EXPORT boost::json::value begin_value(std::string title, const work_details& details);
/// A report of the progress so far. An empty message is left out.
PARTYLINE_EXPORT boost::json::value report_value(std::string message, std::optional<unsigned> percentage = {});
/// The end of the work. An empty message is left out.
PARTYLINE_EXPORT boost::json::value end_value(std::string message = {});

/// Reports the progress of the work on one request to the client, under the `workDoneToken` of the request; sends
/// nothing where the request has none. One beginning, any number of reports, one end, all before the handler returns. A
/// report may be left out for a newer one while the client does not read; the beginning and the end are awaited then.
///
/// Errors, misuse: `std::logic_error` for a call out of that order, `std::invalid_argument` for a percentage above 100.
/// Lifetime: within the handler. Threads: used where the handler runs.
///
///     partyline::task<int> index(partyline::request_context& context, partyline::json_view)
///     {
///         partyline::lsp::work_done_progress progress(context);
///         co_await progress.begin("Indexing");
///         for (unsigned percent = 0; percent != 100; ++percent) {
///             co_await progress.report("", percent);
///             co_await read_some(context);
///         }
///         co_await progress.end();
///         co_return 0;
///     }
class PARTYLINE_EXPORT work_done_progress {
public:
    /// Reports about the request of `context`, which outlives this object.
    explicit work_done_progress(request_context& context) noexcept : context_(context) {}

    // No default for the details: gcc 12 frees a temporary aggregate in a co_await expression twice.
    /// Reports the beginning.
    sending begin(std::string title);
    /// Reports the beginning, with more than a title.
    sending begin(std::string title, const work_details& details);
    /// Reports the progress so far. An empty message is left out.
    sending report(std::string message, std::optional<unsigned> percentage = {});
    /// Reports the end. An empty message is left out.
    sending end(std::string message = {});

private:
    friend class created_progress;
    enum class stage { before, under_way, over };
    static void expect(stage is, stage expected);

    request_context& context_;
    stage stage_ = stage::before;
};

/// Reports to the client the progress of a piece of work that belongs to no request, or goes on after its request:
/// under a token of its own, which the client is asked to take by `window/workDoneProgress/create`. The client may
/// cancel such work by `window/workDoneProgress/cancel`.
///
/// Lifetime: `session` must outlive it, a `request_context` with its handler. Threads: one at a time.
class PARTYLINE_EXPORT created_progress {
public:
    /// Asks for a token. Where the client does not take such progress (it does not have the capability
    /// `window.workDoneProgress`, or answers with an error, or the session ends), nothing is sent; that is not a
    /// failure.
    static boost::asio::awaitable<created_progress> create(caller& session);

    created_progress(created_progress&& other) noexcept;
    created_progress& operator=(created_progress&&) = delete;
    ~created_progress();

    /// Whether the client listens; where not, nothing is sent.
    bool is_heard() const noexcept { return !token_.empty(); }
    /// Whether the client's user has cancelled. From any thread.
    bool cancelled() const;
    /// Calls a function when the client's user cancels, once, on the session's executor; an exception of the function
    /// is logged there. Where the user has cancelled already, the function is called at once, and its exception goes to
    /// the caller.
    void on_cancel(std::function<void()> told);

    /// Reports the beginning. Each of these functions completes when the notification is on its way, and does not fail
    /// where the session has ended meanwhile.
    boost::asio::awaitable<void> begin(std::string title);
    /// Reports the beginning, with more than a title.
    boost::asio::awaitable<void> begin(std::string title, const work_details& details);
    /// Reports the progress so far.
    boost::asio::awaitable<void> report(std::string message, std::optional<unsigned> percentage = {});
    /// Reports the end.
    boost::asio::awaitable<void> end(std::string message = {});

private:
    class cancel_state;

    explicit created_progress(caller& session);
    boost::asio::awaitable<void> tell(boost::json::value value);

    caller* session_;
    std::shared_ptr<client_info> client_;
    std::string token_; // empty: nobody listens
    std::shared_ptr<cancel_state> cancel_;
    work_done_progress::stage stage_ = work_done_progress::stage::before;
};

} // namespace partyline::lsp
