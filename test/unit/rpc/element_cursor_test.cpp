#include "rpc/element_cursor.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace partyline;

namespace {

std::string walk(const char* text)
{
    std::string steps;
    for (detail::element_cursor at(json_view::checked(text)); at.next();)
        steps.append(at.name()).append("=").append(at.value().text()).append(";");
    return steps;
}

} // namespace

BOOST_AUTO_TEST_SUITE(element_cursor_)

BOOST_AUTO_TEST_CASE(steps_through_elements_and_members)
{
    struct row {
        const char* text;
        const char* steps;
    };
    const row rows[] = {
        {"[]", ""},
        {"{}", ""},
        {"[ ]", ""},
        {"[1]", "=1;"},
        {"[1,-2.5e3,true,null]", "=1;=-2.5e3;=true;=null;"},
        {" [ 1 , \"a,]\\\"}\" ,\n[2, [3]] , {\"x\": [4]} ] ", "=1;=\"a,]\\\"}\";=[2, [3]];={\"x\": [4]};"},
        {R"({"a":1,"b":"2"})", "a=1;b=\"2\";"},
        {R"({ "a" : {"b":{}} , "\u0063" : [] })", "a={\"b\":{}};c=[];"},
        {R"({"a":1,"a":2,"":3})", "a=1;a=2;=3;"},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const std::string text(r.text);
            BOOST_TEST(walk(text.substr(text.find_first_not_of(' ')).c_str()) == r.steps);
        }
}

BOOST_AUTO_TEST_SUITE_END()
