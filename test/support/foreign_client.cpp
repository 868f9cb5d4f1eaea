#include "support/foreign_client.hpp"

#include "support/child_process.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {

foreign_client::foreign_client()
{
    options.executor_is_serial = true;
    options.on_message = [this](const message_event& event) -> std::optional<error_object> {
        if (event.type == partyline::message_type::request)
            (event.direction == partyline::message_direction::out ? our_ids : its_ids).emplace(event.id);
        return std::nullopt;
    };
}

void foreign_client::listen_to(const std::string& method)
{
    methods.add_notification(method, [this, method](json::value params) { heard.push_back({method, params}); });
}

void foreign_client::start_server(const std::vector<std::string>& command, child_options how)
{
    options.close_timeout = how.exit_wait;
    partyline::child_process server(context.get_executor(), command, std::move(how));
    server_ = server.report();
    session_.emplace(std::move(server), std::move(methods), options);
    session_->async_run([this](error_code result) { ended_ = result; });
}

pending foreign_client::start(std::string method, json::value params, call_options how, asio::cancellation_slot slot)
{
    auto call = std::make_shared<std::optional<settled>>();
    auto done = [call](error_code failed, call_result<json::value> reply) {
        BOOST_TEST_REQUIRE(!call->has_value());
        *call = settled{failed, std::move(reply)};
    };
    talk().call<json::value>(std::move(method), std::move(params),
                             std::move(how))(asio::bind_cancellation_slot(slot, std::move(done)));
    return call;
}

settled foreign_client::wait(const pending& call)
{
    run_until([&] { return call->has_value(); });
    return **call;
}

error_object foreign_client::error_of(const pending& call)
{
    const settled end = wait(call);
    BOOST_TEST_REQUIRE(!end.failed, "expected an error as answer, the call failed: " << end.failed.message());
    BOOST_TEST_REQUIRE((end.reply.error() != nullptr), "expected an error as answer, a result came");
    return *end.reply.error();
}

void foreign_client::notify(std::string method, json::value params)
{
    std::optional<error_code> sent;
    talk().notify(std::move(method), std::move(params))([&](error_code failed, auto) { sent = failed; });
    run_until([&] { return sent.has_value(); });
    BOOST_TEST_REQUIRE(!*sent);
}

std::vector<json::value> foreign_client::heard_of(std::string_view method) const
{
    std::vector<json::value> found;
    for (const heard_notification& it : heard) {
        if (it.method == method)
            found.push_back(it.params);
    }
    return found;
}

void foreign_client::run_until(const std::function<bool()>& done)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        context.restart();
        if (context.run_one_until(deadline) == 0)
            throw std::runtime_error("what is waited for does not happen");
    }
}

error_code foreign_client::wait_end()
{
    run_until([&] { return ended_.has_value(); });
    return *ended_;
}

} // namespace partyline::test
