#include "tasks_dialogue.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

namespace json = boost::json;

namespace partyline::test {
namespace {

json::object result_of(const std::string& reply)
{
    json::parse_options how;
    how.max_depth = 200;
    json::value read = json::parse(reply, {}, how);
    json::value* const found = read.as_object().if_contains("result");
    BOOST_REQUIRE_MESSAGE(found, "no result: " << reply);
    return std::move(found->as_object());
}

std::string task_member(std::string_view id)
{
    return R"("taskId":")" + std::string(id) + '"';
}

} // namespace

void tasks_dialogue::renew()
{
    tasks.reset();
    server = mcp::server("unit", "1.0");
    tasks.emplace(server, settings);
}

json::object tasks_dialogue::call_task(std::string_view tool)
{
    call_modern("1", tool, "{}", declaring);
    return result_of(receive());
}

std::string tasks_dialogue::id_of(std::string_view tool)
{
    const json::object made = call_task(tool);
    BOOST_REQUIRE_MESSAGE(made.contains("taskId"), json::serialize(made));
    return std::string(made.at("taskId").as_string());
}

std::string tasks_dialogue::call_plainly(std::string_view tool)
{
    call_modern("1", tool);
    return receive();
}

json::object tasks_dialogue::get(std::string_view id)
{
    return result_of(answer_modern("tasks/get", task_member(id), declaring));
}

json::object tasks_dialogue::wait_for(std::string_view id, std::string_view status)
{
    for (;;) {
        settle();
        json::object now = get(id);
        if (now.at("status").as_string() == status)
            return now;
        const bool is_open = now.at("status").as_string() == "working";
        BOOST_REQUIRE_MESSAGE(is_open, "not " << status << ": " << json::serialize(now));
    }
}

std::string tasks_dialogue::update(std::string_view id, std::string_view answers)
{
    return answer_modern("tasks/update", task_member(id) + R"(,"inputResponses":)" + std::string(answers), declaring);
}

std::string tasks_dialogue::cancel_task(std::string_view id)
{
    return answer_modern("tasks/cancel", task_member(id), declaring);
}

std::string modern_empty()
{
    return result("1", R"({"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)"
                       R"({"name":"unit","version":"1.0"}}})");
}

} // namespace partyline::test
