#pragma once

#include "mcp_extensions/tasks/task_store.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace partyline::test {

/// A store whose time the test lets pass: it has room for three tasks, and for two of a principal.
struct store_fixture {
    static constexpr std::chrono::milliseconds second{1000};

    mcp::task_time now{std::chrono::steady_clock::time_point(second), std::chrono::system_clock::time_point(second)};
    mcp::task_store store{mcp::task_store::limits{second, 3, 2, 5000, 4000}};
    const mcp::task_owner alice{"token", "alice"};
    const mcp::task_owner bob{"token", "bob"};

    void pass(std::chrono::milliseconds time)
    {
        now.steady += time;
        now.wall += time;
    }
    mcp::task_record& add(const std::string& id, const mcp::task_owner& of, std::string params = R"({"name":"t"})")
    {
        return store.add(id, of, std::move(params), now);
    }
    boost::json::object detail(const mcp::task_record& of) const
    {
        return boost::json::parse(of.detail(second).text()).as_object();
    }
    std::string limit_of_refusal(const std::string& id, const mcp::task_owner& of, std::string params = "{}")
    {
        try {
            add(id, of, std::move(params));
        } catch (const rpc_error& refused) {
            BOOST_TEST(refused.error().code == -31001);
            return boost::json::serialize(refused.error().data->at("limit"));
        }
        return "none";
    }
    static std::vector<mcp::task_question> questions(const std::string& name)
    {
        return {{name, R"({"method":"elicitation/create"})"}};
    }
    bool answer(mcp::task_record& one, mcp::task_answers answers) { return store.answer(one, answers, now); }
    void ask(mcp::task_record& one, const std::string& name, std::string state = R"("s")")
    {
        store.ask(one, {questions(name), std::move(state)}, now);
    }
};

} // namespace partyline::test
