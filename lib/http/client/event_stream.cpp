#include "http/client/event_stream.hpp"

#include "http/client/client_driver.hpp"
#include "http/client/reconnect_rules.hpp"
#include "http/client/retry_after.hpp"
#include "http/connections/answer_stream.hpp"

#include <partyline/http/client_errc.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

// A stream that has lasted this long counts as a success, whether or not there were events.
constexpr std::chrono::seconds long_enough{10};

constexpr int ok = 200;
constexpr int no_stream = 405; // also where another answer comes in its place

bool is_busy(int status) noexcept
{
    return status == 503 || status == 429 || status == 502 || status == 504;
}

// One stream, from its GET to its end.
class event_visit {
public:
    event_visit(client_driver& by, const posted_message& answered, event_place& at, reconnect_rules& rules)
        : by_(by), answered_(answered), at_(at), rules_(rules)
    {
    }

    // Returns the status.
    asio::awaitable<int> run()
    {
        client_request request = by_.request_for("GET", by_.fields_for(posted_message()));
        request.is_control = !answered_.asks();
        std::erase_if(request.fields,
                      [](const field_text& one) { return one.name == "Content-Type" || one.name == "Accept"; });
        request.fields.push_back({"Accept", "text/event-stream"});
        if (!at_.last_id.empty())
            request.fields.push_back({"Last-Event-ID", at_.last_id});
        pooled_response answer = co_await by_.send(std::move(request), no_time_limit);
        const int status = answer.head().status;
        note_busy(answer.head());
        answer_stream events(answer, by_.max_message());
        if (status != ok)
            co_return status;
        if (!events.is_event_stream())
            co_return no_stream;
        co_await read(events);
        co_return ok;
    }

private:
    asio::awaitable<void> read(answer_stream& events)
    {
        const auto begun = std::chrono::steady_clock::now();
        try {
            while (std::optional<std::string> text = co_await events.next()) {
                rules_.on_event();
                note_place(events);
                const bool goes_on = co_await by_.take(answered_, std::move(*text));
                if (!goes_on)
                    break;
            }
        } catch (...) {
            note_place(events);
            throw;
        }
        note_place(events);
        if (std::chrono::steady_clock::now() - begun > long_enough)
            rules_.on_event();
    }
    // An event without a message has an id as well: servers that want the client to poll send these.
    void note_place(const answer_stream& events)
    {
        if (!events.last_event_id().empty() &&
            std::exchange(at_.last_id, events.last_event_id()) != events.last_event_id())
            rules_.on_event();
        at_.retry = events.retry();
    }
    void note_busy(const received_head& head)
    {
        const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        if (const auto asked = retry_after(head, now))
            at_.retry = *asked;
    }

    client_driver& by_;
    const posted_message& answered_;
    event_place& at_;
    reconnect_rules& rules_;
};

} // namespace

asio::awaitable<events_end> follow_events(client_driver& by, posted_message answered, event_place from)
{
    events_end end;
    reconnect_rules rules(random_part, answered.asks() ? reconnect_rules::usual_tries : reconnect_rules::for_ever);
    for (bool is_again = !from.last_id.empty();; is_again = true) {
        if (is_again) {
            const auto pause = rules.on_end(from.retry);
            if (!pause)
                break;
            asio::steady_timer timer(by.get_executor(), *pause);
            co_await timer.async_wait(asio::use_awaitable);
        }
        if (by.has_ended() || (answered.asks() && !by.is_wanted(answered)))
            break;
        end.status = 0;
        try {
            event_visit visit(by, answered, from, rules);
            end.status = co_await visit.run();
        } catch (const boost::system::system_error& e) {
            if (e.code() == asio::error::operation_aborted || e.code() == errc::message_too_large ||
                e.code() == client_errc::unauthorized)
                throw;
        }
        end.had_stream = end.had_stream || end.status == ok;
        if (end.status != 0 && end.status != ok && !is_busy(end.status))
            co_return end;
    }
    end.status = 0;
    co_return end;
}

} // namespace partyline::http
