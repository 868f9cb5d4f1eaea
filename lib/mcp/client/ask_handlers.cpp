#include "mcp/client/ask_handlers.hpp"

#include "mcp/answers/failed_call.hpp"
#include "mcp/client/client_core.hpp"

#include <partyline/async/async_event.hpp>
#include <partyline/session/clean_up.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::mcp {
namespace {

/// Several handlers at work. (Asio 1.26: parallel_group has their ends come by the system executor, where what they
/// throw ends the process.)
struct busy_handlers {
    struct one {
        asio::cancellation_signal cancel;
        std::optional<json::value> answer;
    };

    busy_handlers(const asio::any_io_executor& where, std::size_t count, const time_limit& limit)
        : changed(where, limit.end()), all_ended(where), all(count)
    {
    }

    asio::steady_timer changed; // expires with the time; cancelled when a handler or the conversation has ended
    async_event all_ended;
    asio::cancellation_signal end_watch; // cancels the wait for the conversation's end
    std::vector<one> all;
    std::size_t left = 0;
    std::exception_ptr thrown; // by the first handler that threw
};

/// The end of one of them; it has come also where it is never told, for want of memory.
class handler_end {
public:
    handler_end(std::shared_ptr<busy_handlers> of, std::size_t number) noexcept : of_(std::move(of)), number_(number)
    {
        ++of_->left;
        of_->all_ended.reset();
    }
    handler_end(handler_end&&) noexcept = default;
    ~handler_end()
    {
        if (!of_)
            return;
        if (--of_->left == 0)
            of_->all_ended.set();
        of_->changed.cancel();
    }

    void operator()(std::exception_ptr thrown, json::value answer)
    {
        if (!thrown)
            of_->all[number_].answer.emplace(std::move(answer));
        else if (!of_->thrown)
            of_->thrown = std::move(thrown);
    }

private:
    std::shared_ptr<busy_handlers> of_;
    const std::size_t number_;
};

/// Has the end of the conversation wake whoever waits for the handlers.
class end_watch {
public:
    end_watch(client_core& of, std::shared_ptr<busy_handlers> woken) : woken_(std::move(woken))
    {
        of.wait_end(asio::bind_cancellation_slot(woken_->end_watch.slot(),
                                                 [woken = woken_](error_code) { woken->changed.cancel(); }));
    }
    end_watch(const end_watch&) = delete;
    end_watch& operator=(const end_watch&) = delete;
    ~end_watch() { woken_->end_watch.emit(asio::cancellation_type::terminal); }

private:
    const std::shared_ptr<busy_handlers> woken_; // the wait has its signal for longer than this lives
};

task<void> run_handlers(std::shared_ptr<client_core> of, std::vector<asked_question>& asked,
                        std::shared_ptr<busy_handlers> busy)
{
    const end_watch watch(*of, busy);
    for (std::size_t i = 0; i != asked.size(); ++i) {
        asked_question one{asked[i].key, asked[i].kind, std::move(asked[i].params)};
        co_spawn(of->get_executor(), answer_question(of, std::move(one)),
                 asio::bind_cancellation_slot(busy->all[i].cancel.slot(), handler_end(busy, i)));
    }
    while (busy->left != 0 && !busy->thrown && !of->has_ended()) {
        const auto [woken] = co_await busy->changed.async_wait(asio::as_tuple(asio::deferred));
        if (!woken)
            throw failed_call(errc::timeout, "the answers took too long");
    }
    if (busy->thrown)
        std::rethrow_exception(busy->thrown);
    if (busy->left != 0)
        throw failed_call(errc::session_closed);
}

task<void> end_handlers(std::shared_ptr<busy_handlers> busy)
{
    for (busy_handlers::one& each : busy->all)
        each.cancel.emit(asio::cancellation_type::all);
    while (busy->left != 0)
        co_await busy->all_ended.async_wait(asio::as_tuple(asio::deferred));
}

} // namespace

task<json::object> ask_handlers(std::shared_ptr<client_core> of, std::vector<asked_question> asked, time_limit limit)
{
    if (of->has_ended())
        throw failed_call(errc::session_closed);
    const auto busy = std::make_shared<busy_handlers>(of->get_executor(), asked.size(), limit);
    task<void> work = run_handlers(of, asked, busy);
    co_await with_clean_up(std::move(work), end_handlers(busy));
    json::object all;
    for (std::size_t i = 0; i != asked.size(); ++i) {
        if (!busy->all[i].answer)
            throw std::bad_alloc(); // its end was never told
        all[asked[i].key] = std::move(*busy->all[i].answer);
    }
    co_return all;
}

} // namespace partyline::mcp
