#include <partyline/testing/client.hpp>

#include "testing/session_pair.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/system/system_error.hpp>

#include <stdexcept>
#include <utility>

namespace partyline::test {
namespace detail {

call_record& pending_call::record() const
{
    if (!record_)
        throw std::logic_error("this pending call was moved from");
    return *record_;
}

bool pending_call::is_done() const
{
    return record().reply.has_value();
}

void pending_call::cancel()
{
    call_record& call = record();
    if (const auto pair = call.owner.lock())
        pair->cancel(call);
}

const std::vector<boost::json::value>& pending_call::progress() const
{
    return record().progress;
}

response pending_call::wait()
{
    const call_record& call = record();
    const auto pair = call.owner.lock();
    if (!call.reply && !pair)
        throw std::logic_error("the client of the call \"" + call.method + "\" is gone");
    if (!call.reply)
        pair->wait_for(call);
    if (const error_code failed = call.reply->code())
        throw boost::system::system_error(failed, pair ? pair->explain(call) : "\"" + call.method + "\"");
    return *call.reply;
}

error_object pending_call::error()
{
    const response reply = wait();
    if (reply.error())
        return *reply.error();
    throw unexpected_result("\"" + record().method +
                            "\" was answered with a result, not with an error: " + printable(reply->text(), 200));
}

void pending_call::refuse_result(const std::string& problem) const
{
    throw boost::system::system_error(errc::not_convertible, "\"" + record().method + "\": " + problem);
}

} // namespace detail

client::client(const served_methods& methods, client_options options)
    : pair_(std::make_shared<session_pair>(methods, std::move(options)))
{
}

client::client(client&&) noexcept = default;
client& client::operator=(client&&) noexcept = default;
client::~client() = default;

session_pair& client::pair() const
{
    if (!pair_)
        throw std::logic_error("this client was moved from");
    return *pair_;
}

detail::pending_call client::start_call(std::string method, const call_params& params)
{
    return detail::pending_call(pair().start_call(std::move(method), params));
}

error_object client::error_of(std::string method, const call_params& params)
{
    return start_call(std::move(method), params).error();
}

void client::notify(std::string method, const call_params& params)
{
    pair().notify(std::move(method), params);
}

void client::run_until_idle()
{
    pair().run_until_idle();
}

void client::run_until(const std::function<bool()>& predicate)
{
    pair().run_until(predicate);
}

const std::vector<recorded_notification>& client::notifications() const
{
    return pair().records().notifications;
}

std::vector<recorded_notification> client::take_notifications()
{
    return std::exchange(pair().records().notifications, {});
}

const std::vector<recorded_progress>& client::progress() const
{
    return pair().records().progress;
}

std::vector<recorded_progress> client::take_progress()
{
    return std::exchange(pair().records().progress, {});
}

error_code client::end()
{
    return pair().end();
}

session& client::server()
{
    return pair().server();
}

boost::asio::any_io_executor client::get_executor() const
{
    return pair().loop.context().get_executor();
}

void client::set_time_limit(std::chrono::steady_clock::duration most)
{
    pair().loop.time_limit = most;
}

} // namespace partyline::test
