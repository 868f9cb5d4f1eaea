#pragma once

#include "tasks_dialogue.hpp"

#include <partyline/mcp/tool_error.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/session/task.hpp>

#include <boost/describe.hpp>
#include <boost/json/object.hpp>

#include <string>

namespace partyline::test {

struct yes_form {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(yes_form, (), (yes))

struct word_form {
    std::string word;
};
BOOST_DESCRIBE_STRUCT(word_form, (), (word))

/// Asks two questions at once, and a third one when they are answered.
inline task<std::string> ask_in_rounds(mcp::context& c)
{
    const auto [sure, word] =
        co_await c.ask(mcp::form<yes_form>("sure", "Sure?"), mcp::form<word_form>("word", "Word?"));
    const auto last = co_await c.elicit<yes_form>("last", "Really?");
    co_return word->word + (sure->yes && last->yes ? " yes" : " no");
}

/// A dialogue with a server whose tools have tasks.
struct server_tasks_fixture : tasks_dialogue {
    gate work{context};

    server_tasks_fixture() { add_tools(); }

    void add_tools()
    {
        add("quick", [] { return std::string("done"); });
        add("slow", [this](mcp::context& c) -> task<std::string> {
            co_await c.progress(1, 2, "at work");
            co_await work.wait();
            co_return "worked";
        });
        add("bad", []() -> std::string { throw mcp::tool_error("no luck"); });
        add("refused", []() -> std::string { throw rpc_error(7, "No", boost::json::value(1)); });
        add("asks", &ask_in_rounds);
        add("must", [] { return std::string("done"); }, tasks->required());
    }
    /// A server anew, with the settings as they are, and its tools.
    void renew()
    {
        tasks_dialogue::renew();
        add_tools();
    }
};

} // namespace partyline::test
