#include "busy_pair.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include <chrono>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

partyline::task<std::string> work(request_context& context, int depth, int turns, std::string text, std::size_t extra)
{
    for (int i = 0; i != turns; ++i)
        co_await asio::post(context.get_executor(), asio::deferred);
    const assignment below{depth - 1, turns, std::move(text), extra};
    if (depth == 0)
        co_return answer_to(below);
    auto answer = co_await context.call<std::string>("work", params_of(below), patient())(asio::deferred);
    co_return std::move(answer).value();
}

} // namespace

json::array params_of(const assignment& asked)
{
    return {asked.depth, asked.turns, asked.text, asked.extra};
}

std::string answer_to(const assignment& asked)
{
    return asked.text + std::string(asked.extra, 'x');
}

method_table make_work()
{
    method_table methods;
    methods.add("work", work);
    return methods;
}

call_options patient()
{
    return call_options().timeout(std::chrono::seconds(60));
}

std::string outcome_of(const assignment& asked, error_code failed, const call_result<std::string>& got)
{
    if (failed)
        return failed == errc::too_many_calls ? "busy" : failed.message();
    if (got.error())
        return got.error()->code == error_codes::server_busy ? "busy" : got.error()->message;
    return *got == answer_to(asked) ? "result" : "wrong result";
}

} // namespace partyline::test
