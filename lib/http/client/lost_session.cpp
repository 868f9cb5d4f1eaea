#include "http/client/lost_session.hpp"

#include "http/client/client_driver.hpp"

#include <boost/system/system_error.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::http {
namespace {

constexpr int unknown_session = 404;
constexpr int any_fault = 400;

// Time for the answer to the ping.
constexpr std::chrono::seconds ping_time{30};

} // namespace

asio::awaitable<bool> tells_of_lost_session(client_driver& by, int status, std::vector<field_text> fields)
{
    if (status != any_fault)
        co_return status == unknown_session;
    client_request request = by.request_for("POST", std::move(fields));
    request.body = std::make_shared<const std::string>(R"({"jsonrpc":"2.0","id":"known?","method":"ping"})");
    request.is_control = true;
    try {
        const time_limit until = std::chrono::steady_clock::now() + ping_time;
        const pooled_response answer = co_await by.send(std::move(request), until);
        co_return answer.head().status == unknown_session || answer.head().status == any_fault;
    } catch (const boost::system::system_error&) { // nobody knows
        co_return false;
    }
}

} // namespace partyline::http
