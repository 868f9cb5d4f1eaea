#include "http/client/client_exchange.hpp"

#include "http/client/client_driver.hpp"
#include "http/client/retry_after.hpp"
#include "http/connections/answer_stream.hpp"
#include "http/connections/client_failure.hpp"
#include "http/connections/refusal.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

// Most repetitions of a message to a busy server, and the longest delay that the server may ask for.
constexpr unsigned most_retries = 2;
constexpr auto longest_retry = 60s;

// Time for an answer to end after its reply has come; then its connection is closed.
constexpr auto rest_time = 1s;

time_limit after(std::chrono::steady_clock::duration time)
{
    return std::chrono::steady_clock::now() + time;
}

std::chrono::sys_seconds now()
{
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

} // namespace

client_exchange::client_exchange(std::shared_ptr<client_driver> of, posted_message sent)
    : driver_(std::move(of)), sent_(std::move(sent)), retries_(random_part, most_retries)
{
}

client_exchange::~client_exchange()
{
    driver_->unlink(*this);
}

void client_exchange::start()
{
    asio::co_spawn(
        driver_->get_executor(), [self = shared_from_this()] { return self->run(); },
        asio::bind_cancellation_slot(stop_.slot(), [self = shared_from_this()](std::exception_ptr thrown) {
            if (thrown) // no memory for the words of a failure
                self->driver_->own_conversation()->fail(thrown);
            self->driver_->forget(*self);
        }));
}

void client_exchange::abort() noexcept
{
    try {
        stop_.emit(asio::cancellation_type::all);
    } catch (...) { // it ends by itself, with its answer
    }
}

// The calls fail with what went wrong. Throws only where there is no memory to tell them.
asio::awaitable<void> client_exchange::run()
{
    try {
        co_await post();
        fail(errc::peer_closed, "the server's stream of events has ended without a reply");
    } catch (const boost::system::system_error& e) {
        fail(e.code(), exception_details(e));
    } catch (const std::exception& e) {
        fail(errc::session_failed, exception_text(e));
    }
}

asio::awaitable<void> client_exchange::post()
{
    for (bool has_recovered = false;;) {
        const std::vector<field_text> fields = driver_->fields_for(sent_);
        pooled_response answer = co_await send(fields);
        const int status = answer.head().status;
        driver_->protocol().on_answered(sent_, answer.head());
        if (answer.head().is_success()) {
            co_await hear(std::move(answer));
            co_return;
        }
        co_await check_credentials(answer, driver_->max_message());
        std::string words = status_words(answer.head(), answer.secrets());
        const std::optional<std::chrono::seconds> asked = retry_after(answer.head(), now());
        const shown_secrets secrets = answer.secrets();
        std::optional<std::string> said;
        {
            pooled_response refusal = std::move(answer); // its connection is free for the recovery
            const time_limit until = sent_.asks() ? no_time_limit : after(telling_time);
            said = co_await read_body(refusal, until);
        }
        const bool may_retry = co_await wait_to_retry(asked);
        if (may_retry)
            continue;
        const bool may_repeat = !has_recovered && co_await driver_->protocol().recover(*driver_, sent_, status, fields);
        if (!may_repeat) {
            co_await give_up(std::move(words), std::move(said), secrets);
            co_return;
        }
        has_recovered = true;
    }
}

asio::awaitable<pooled_response> client_exchange::send(std::vector<field_text> fields)
{
    client_request request = driver_->request_for("POST", std::move(fields));
    request.body = std::shared_ptr<const std::string>(shared_from_this(), &sent_.text);
    request.is_control = !sent_.asks();
    const auto until = sent_.asks() ? no_time_limit : after(telling_time);
    co_return co_await driver_->send(std::move(request), until);
}

// A busy server has not served the message. Cancelling the call ends the wait.
asio::awaitable<bool> client_exchange::wait_to_retry(std::optional<std::chrono::seconds> asked)
{
    if (!asked || *asked > longest_retry || !driver_->protocol().heeds_retry_after())
        co_return false;
    const auto pause = retries_.on_end(*asked);
    if (!pause)
        co_return false;
    asio::steady_timer timer(driver_->get_executor(), *pause);
    co_await timer.async_wait(asio::use_awaitable);
    co_return true;
}

asio::awaitable<void> client_exchange::hear(pooled_response answer)
{
    driver_->note_taken(*this);
    if (!sent_.asks()) {
        co_await skim(std::move(answer));
        co_return;
    }
    const event_place end = co_await read_answer(std::move(answer));
    co_await take_up_again(end);
}

// What asks nothing has arrived with the head of a success, whatever follows. A body is read for its connection, and
// for an error that it may have; a stream of events may stay open, and has nothing to tell here.
asio::awaitable<void> client_exchange::skim(pooled_response answer)
{
    if (has_events(answer.head()))
        co_return;
    try {
        co_await read_reply(answer, after(rest_time));
    } catch (const boost::system::system_error&) { // too long, cut off, or it does not end
    }
}

asio::awaitable<event_place> client_exchange::read_answer(pooled_response answer)
{
    if (!has_events(answer.head())) {
        co_await read_reply(answer, no_time_limit);
        co_return event_place();
    }
    answer_stream messages(answer, driver_->max_message());
    co_return co_await read_events(messages);
}

// A body that is not the reply is shown by the details of the failure.
asio::awaitable<void> client_exchange::read_reply(pooled_response& answer, time_limit until)
{
    std::optional<std::string> said = co_await read_body(answer, until);
    std::optional<std::string> beginning;
    bool is_reply = false;
    if (said) {
        beginning = said->substr(0, longest_shown + 1 + longest_of(answer.secrets()));
        const client_driver::body_facts facts = driver_->look_at(*said);
        is_reply = facts.is_reply;
        if (facts.is_message)
            co_await driver_->take(sent_, std::move(*said));
    }
    const std::string what_it_is = is_reply ? "it replied to another request: " : "";
    if (driver_->is_wanted(sent_))
        http::fail(errc::http_status, what_it_is + no_reply_words(answer.head(), beginning, answer.secrets()));
}

// Returns the place where the stream has ended. A stream that has broken off and can be resumed has not failed.
asio::awaitable<event_place> client_exchange::read_events(answer_stream& messages)
{
    event_place at;
    time_limit until = no_time_limit;
    try {
        while (std::optional<std::string> next = co_await messages.next(until)) {
            const bool goes_on = co_await driver_->take(sent_, std::move(*next));
            if (!goes_on)
                break;
            if (until == no_time_limit && !driver_->is_wanted(sent_))
                until = after(rest_time);
        }
    } catch (const boost::system::system_error& e) {
        const bool may_go_on = driver_->protocol().resumes() && !messages.last_event_id().empty() &&
                               e.code() != asio::error::operation_aborted && e.code() != errc::message_too_large;
        if (!may_go_on)
            throw;
    }
    at.last_id = messages.last_event_id();
    at.retry = messages.retry();
    co_return at;
}

asio::awaitable<void> client_exchange::take_up_again(event_place from)
{
    if (from.last_id.empty() || !driver_->protocol().resumes() || !driver_->is_wanted(sent_))
        co_return;
    co_await follow_events(*driver_, sent_, std::move(from));
}

// The first message of a refusal that is a stream of events; else the body.
asio::awaitable<std::optional<std::string>> client_exchange::read_body(pooled_response& answer, time_limit until)
{
    if (!has_messages(answer.head()))
        co_return std::nullopt;
    answer_stream messages(answer, driver_->max_message());
    co_return co_await messages.next(until);
}

// The call's outcome is the reply or the error in the body, if there is one, else the status.
asio::awaitable<void> client_exchange::give_up(std::string words, std::optional<std::string> said,
                                               shown_secrets secrets)
{
    words += body_words(said, secrets);
    if (said && driver_->look_at(*said).is_message) {
        std::string reply = driver_->addressed_to(sent_, std::move(*said));
        co_await driver_->take(sent_, std::move(reply));
    }
    http::fail(errc::http_status, words);
}

// Fails the calls that still wait for their replies.
void client_exchange::fail(error_code why, const std::string& details) noexcept
{
    try {
        if (!sent_.asks() && why != asio::error::operation_aborted && why != errc::peer_closed)
            driver_->log("what was told a server over HTTP did not arrive: " + details + ": " + why.message());
        for (const std::string& id : sent_.ids) {
            if (driver_->own_conversation()->is_open_call(id))
                driver_->own_conversation()->fail_call(id, why, details);
        }
    } catch (...) {
        driver_->own_conversation()->fail(std::current_exception());
    }
}

} // namespace partyline::http
