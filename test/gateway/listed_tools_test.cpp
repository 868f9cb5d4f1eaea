// What a gateway knows of tools, once it has seen lists of them.

#include "gateway/listed_tools.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>

using gateway::listed_tools;
using partyline::json_text;

namespace {

json_text list_of(const std::string& name, bool is_idempotent = true)
{
    return json_text(R"({"tools":[{"name":")" + name + R"(","annotations":{"idempotentHint":)" +
                     (is_idempotent ? "true" : "false") + "}}]}");
}

struct two_threads {
    two_threads() { listed_tools::connect({first, second}); }

    boost::asio::io_context context;
    std::shared_ptr<listed_tools> first = std::make_shared<listed_tools>(context.get_executor());
    std::shared_ptr<listed_tools> second = std::make_shared<listed_tools>(context.get_executor());
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(gateway_listed_tools, two_threads)

BOOST_AUTO_TEST_CASE(what_one_thread_learns_all_know)
{
    BOOST_TEST(second->is_empty());
    first->note_list(list_of("set"));
    BOOST_TEST(!first->is_empty());
    context.run();
    BOOST_TEST(!second->is_empty());
    BOOST_TEST(second->is_idempotent("set"));
    BOOST_TEST(!second->is_idempotent("add"));

    second->note_list(list_of("set", false));
    context.restart();
    context.run();
    BOOST_TEST(first->is_empty());
}

BOOST_AUTO_TEST_CASE(of_a_tool_with_a_name_of_more_than_a_kibibyte_nothing_is_kept)
{
    const std::string longest(1024, 'n');
    first->note_list(list_of(longest + 'n'));
    BOOST_TEST(first->is_empty());
    first->note_list(list_of(longest));
    BOOST_TEST(first->is_idempotent(longest));
}

BOOST_AUTO_TEST_SUITE_END()
