#include <partyline/session/request_context.hpp>

#include "session/calls/posted_completion.hpp"

#include <partyline/session/profile.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace partyline {
namespace {

response nobody_asked()
{
    return response::failure{errc::session_closed, {}};
}

// Tells who asked what there is no session for.
template <class... T>
void complete(std::type_identity_t<typename completion<T...>::handler> told, boost::asio::any_io_executor home,
              T... results)
{
    const auto done = std::make_shared<completion<T...>>(std::move(told), std::move(home));
    (*done)(done, std::move(results)...);
}

} // namespace

sending sending::without_wait()
{
    constexpr bool has_room = true;
    return {[]() -> boost::asio::awaitable<void> { co_return; }(), has_room};
}

void request_context::throw_if_cancelled() const
{
    if (cancelled())
        throw boost::system::system_error(boost::asio::error::operation_aborted);
}

const peer_identity& request_context::peer() const noexcept
{
    static const peer_identity unknown;
    return unknown;
}

bool request_context::is_own_member(std::string_view name) const noexcept
{
    return plain_profile.is_own_member(name);
}

std::size_t request_context::max_depth() const noexcept
{
    return limits().depth;
}

std::size_t request_context::max_message_bytes() const noexcept
{
    return limits().message_bytes;
}

std::string_view request_context::metadata_name() const noexcept
{
    return plain_profile.metadata;
}

std::optional<std::string_view> request_context::http_field(std::string_view) const noexcept
{
    return std::nullopt;
}

const trace_context& request_context::trace()
{
    if (const trace_context* const known = known_trace())
        return *known;
    if (const trace_context* const known = attached<trace_context>())
        return *known;
    return attach(trace_context::make_root());
}

sending request_context::tell_partial_result(const boost::json::value&)
{
    return sending::without_wait();
}

void request_context::start_call(std::string, call_params, call_options, call_handler done)
{
    complete(std::move(done), get_executor(), make_error_code(errc::session_closed), nobody_asked());
}

void request_context::start_notify(std::string, call_params, notify_handler done)
{
    complete(std::move(done), get_executor(), make_error_code(errc::session_closed));
}

void request_context::start_batch(call_batch calls, call_options, batch_handler done)
{
    std::vector<response> replies;
    for (const call_batch::element& element : calls.elements()) {
        if (element.is_call)
            replies.push_back(nobody_asked());
    }
    complete(std::move(done), get_executor(), make_error_code(errc::session_closed), std::move(replies));
}

} // namespace partyline
