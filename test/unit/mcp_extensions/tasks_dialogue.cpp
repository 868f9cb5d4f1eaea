#include "tasks_dialogue.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <utility>

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
    json::object now = wait_for_end(id);
    const bool is_found = now.at("status").as_string() == status;
    BOOST_REQUIRE_MESSAGE(is_found, "not " << status << ": " << json::serialize(now));
    return now;
}

json::object tasks_dialogue::wait_for_end(std::string_view id)
{
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    json::object now;
    do {
        BOOST_REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "it still works: " << json::serialize(now));
        settle();
        now = get(id);
    } while (now.at("status").as_string() == "working");
    return now;
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
