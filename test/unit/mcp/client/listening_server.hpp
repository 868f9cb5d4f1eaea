#pragma once

#include "scripted_server.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace partyline::test {

/// The capabilities of a server that tells of all lists, and what it honours then.
inline constexpr std::string_view telling =
    R"({"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true}})";
inline constexpr std::string_view lists =
    R"({"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true})";

/// What tests of listening have in common.
struct listening_server : scripted_server {
    std::vector<std::string> heard;

    listening_server() { options.listen_pause = std::chrono::milliseconds(1); }
    void hear()
    {
        client().on_tools_changed([this] { heard.push_back("tools"); });
        client().on_prompts_changed([this] { heard.push_back("prompts"); });
        client().on_resources_changed([this] { heard.push_back("resources"); });
        client().on_resource_updated([this](const std::string& uri) { heard.push_back(uri); });
    }
    std::string expect_listen()
    {
        return expect_request("subscriptions/listen", R"({"notifications":{"toolsListChanged":true,)"
                                                      R"("promptsListChanged":true,"resourcesListChanged":true}})");
    }
    std::string expect_listen_to(const std::string& uri)
    {
        return expect_request("subscriptions/listen",
                              R"({"notifications":{"resourceSubscriptions":[")" + uri + R"("]}})");
    }
    void acknowledge_uri(std::string_view id, const std::string& uri)
    {
        acknowledge(id, R"({"resourceSubscriptions":[")" + uri + R"("]})");
    }
    // The id of the request.
    std::string subscribe(const std::string& uri)
    {
        begun<void> subscribed;
        client().subscribe(uri)(subscribed.token());
        std::string id = expect_listen_to(uri);
        acknowledge_uri(id, uri);
        BOOST_TEST(!wait(subscribed).failed());
        return id;
    }
    void acknowledge(std::string_view id, std::string_view honoured)
    {
        tell("notifications/subscriptions/acknowledged", R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" +
                                                             std::string(id) + R"(},"notifications":)" +
                                                             std::string(honoured) + "}");
    }
    // The id of a request that the server has not acknowledged.
    std::string give_up(const std::string& uri)
    {
        begun<void> subscribed;
        client().subscribe(uri)(subscribed.token());
        std::string id = expect_listen_to(uri);
        subscribed.cancel();
        expect_failure(subscribed, boost::asio::error::operation_aborted);
        expect_cancel(id);
        return id;
    }
    void tell_updated(const std::string& uri, const std::string& id)
    {
        tell("notifications/resources/updated",
             R"({"uri":")" + uri + R"(","_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}}");
    }
    void expect_heard(std::vector<std::string> what)
    {
        settle();
        BOOST_TEST(heard == what, boost::test_tools::per_element());
        heard.clear();
    }
};

} // namespace partyline::test
