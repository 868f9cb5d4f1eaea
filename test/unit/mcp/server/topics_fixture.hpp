#pragma once

#include "support/text_search.hpp"
#include "unit/mcp/server/mcp_dialogue.hpp"

#include <partyline/mcp/server/listen_topic.hpp>
#include <partyline/rpc/args.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace partyline::test {

inline constexpr const char* jobs_name = "com.example/jobs";
inline constexpr const char* declaring_jobs = R"({"extensions":{"com.example/jobs":{}}})";
inline constexpr const char* state_notification = "notifications/jobs/state";

inline bool is_own_job(const partyline::request_context&, const std::string& key)
{
    return !key.starts_with("other");
}

inline std::string meta_of(std::string_view id)
{
    return R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + std::string(id) + '}';
}

inline std::string acknowledged(std::string_view id, std::string_view filter)
{
    return notification("notifications/subscriptions/acknowledged",
                        R"({"notifications":)" + std::string(filter) + ',' + meta_of(id) + '}');
}

inline std::string job_state(std::string_view id, int number)
{
    return notification(state_notification, R"({"n":)" + std::to_string(number) + ',' + meta_of(id) + '}');
}

/// An MCP server with an extension that has topics.
struct topics_fixture : mcp_dialogue {
    mcp::listen_topic states{"jobIds", state_notification, {.may_listen = is_own_job}};
    mcp::listen_topic any{"jobsChanged", "notifications/jobs/changed", {.kind = mcp::topic_kind::flag}};

    void add(partyline::method_table own = {})
    {
        server.add_extension(jobs_name, {}, std::move(own), {.topics = {states, any}});
    }
    void add_to(mcp::server_options about)
    {
        server = mcp::server("unit", "1.0", std::move(about));
        add();
    }
    std::string listen(std::string_view id, std::string_view filter, std::string_view capabilities = declaring_jobs)
    {
        say_modern(id, "subscriptions/listen", R"("notifications":)" + std::string(filter), capabilities);
        return receive();
    }
    void cancel_listening(std::string_view id)
    {
        send(notification("notifications/cancelled", R"({"requestId":)" + std::string(id) + '}'));
        settle();
    }
    void publish(std::string_view key, int number) { states.publish(key, partyline::named("n", number)); }
    // The session takes it.
    void publish_long(std::string_view key, int number)
    {
        states.publish(key, partyline::named("n", number, "padding", std::string(1000, 'p')));
        settle();
    }
};

} // namespace partyline::test
