// Which clients hear what a server tells.

#include "gateway/attached_clients.hpp"
#include "gateway/named_requests.hpp"
#include "gateway/resource_watchers.hpp"

#include <partyline/async/async_mutex.hpp>
#include <partyline/session/task.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace asio = boost::asio;
using gateway::attached_clients;
using partyline::json_text;

namespace {

constexpr const char* list_changed = "notifications/tools/list_changed";

json_text about_subscription(const std::string& id)
{
    return json_text(R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}");
}

// Writes down what it is told.
class told_client final : public gateway::attached_client {
public:
    void tell(const std::string& method, const json_text& params, const receipt&) override
    {
        heard += method + std::string(params.text()) + '\n';
    }
    void tell_in(std::uint64_t request, const std::string& method, const json_text& params, const receipt&) override
    {
        heard += "in " + std::to_string(request) + ' ' + method + std::string(params.text()) + '\n';
    }
    void close_session() override {}

    std::string heard;

private:
    void start_ask(std::string, json_text, gateway::call_completion::handler) override {}
};

// Of two clients the first one has a subscription, which the server knows as 7.
struct one_subscriber {
    one_subscriber()
    {
        all.add(first);
        all.add(second);
        asio::io_context context(1);
        partyline::async_mutex alone(context.get_executor());
        const auto subscribe = [&]() -> partyline::task<> {
            partyline::async_mutex::lock own = co_await alone.async_lock();
            named.expect({first.get(), 3, "\"mine\""}, std::move(own));
        };
        co_spawn(context.get_executor(), subscribe(), asio::detached);
        context.poll();
        named.note_sent("7");
    }

    gateway::named_requests named;
    gateway::resource_watchers watchers;
    gateway::log_recipients logs;
    attached_clients all{gateway::protocol::mcp, true, {named, watchers, logs}, {}};
    std::shared_ptr<told_client> first = std::make_shared<told_client>();
    std::shared_ptr<told_client> second = std::make_shared<told_client>();
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_attached_clients, one_subscriber)

BOOST_AUTO_TEST_CASE(what_is_about_a_subscription_goes_to_that_alone_by_the_id_of_its_client)
{
    all.tell(list_changed, about_subscription("7"));
    const std::string told(about_subscription("\"mine\"").text());
    BOOST_TEST(first->heard == "in 3 " + (list_changed + told) + '\n');
    BOOST_TEST(second->heard.empty());
}

// A server tells of it until it hears that it has ended. By chance its id may be that of another client's request.
// rule: security.shared.messages
BOOST_AUTO_TEST_CASE(what_is_about_a_subscription_that_has_ended_goes_to_nobody)
{
    named.forget(*first, 3);
    all.tell(list_changed, about_subscription("7"));
    BOOST_TEST(first->heard.empty());
    BOOST_TEST(second->heard.empty());
    BOOST_TEST(all.untold() == 0u);
}

// Some servers write ids in another way than they were given.
BOOST_AUTO_TEST_CASE(the_only_client_of_a_server_hears_of_whatever_subscription)
{
    attached_clients of_one{gateway::protocol::mcp, false, {named, watchers, logs}, {}};
    of_one.add(second);
    of_one.tell(list_changed, about_subscription("\"7\""));
    BOOST_TEST(second->heard == list_changed + std::string(about_subscription("\"7\"").text()) + '\n');
}

BOOST_AUTO_TEST_CASE(a_change_of_a_list_that_is_about_no_subscription_goes_to_all)
{
    all.tell(list_changed, json_text("{}"));
    BOOST_TEST(first->heard == list_changed + std::string("{}\n"));
    BOOST_TEST(second->heard == first->heard);
}

BOOST_AUTO_TEST_SUITE_END()
