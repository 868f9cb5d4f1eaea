#include <partyline/telemetry/call_spans.hpp>

#include <partyline/protocol/error.hpp>
#include <partyline/rpc/tracing.hpp>
#include <partyline/session/call_middleware.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace asio = boost::asio;

namespace partyline::telemetry {
namespace {

asio::awaitable<response> pass_on(next_call& next)
{
    co_return co_await next();
}

// Where the call has ended by itself, what the coroutine is woken by says nothing.
void end_unanswered(call_span& span, const peer_call& call, error_code thrown) noexcept
{
    span.end(call.ended() ? call.ended() : thrown, {});
}

asio::awaitable<response> call_in_span(std::shared_ptr<span_writer> to, peer_call& call, next_call& next)
{
    const trace_context* const parent = call.attached.find<trace_context>();
    const json_text& params = call.params;
    const json_view known = params.is_checked() ? json_view::checked(params.text()) : json_view(); // not of middleware
    call_span span(std::move(to), parent, call.method, known);
    call.attached.attach(call_trace{span.trace()});
    response reply;
    try {
        reply = co_await next();
    } catch (const rpc_error&) { // of middleware: the peer was not asked
        span.refuse();
        throw;
    } catch (const boost::system::system_error& problem) {
        end_unanswered(span, call, problem.code());
        throw;
    } catch (...) {
        end_unanswered(span, call, errc::refused);
        throw;
    }
    span.end(call.ended(), reply);
    co_return reply;
}

} // namespace

void add_call_spans(session_options& options, std::shared_ptr<span_writer> to)
{
    options.around_calls.add([to = std::move(to)](peer_call& call, next_call& next) {
        return call.is_notification() ? pass_on(next) : call_in_span(to, call, next);
    });
    options.around_calls.add(trace_calls);
}

} // namespace partyline::telemetry
