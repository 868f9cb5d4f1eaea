#include "mcp/schema/schema.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using partyline::mcp::schema;
namespace json = boost::json;

namespace {

const char* const document = R"({"$schema":"http://json-schema.org/draft-07/schema#","definitions":{)"
                             R"("Role":{"enum":["assistant","user"],"type":"string"},)"
                             R"("Annotated":{"properties":{"audience":{"items":{"$ref":"#/definitions/Role"},)"
                             R"("type":"array"},"uri":{"format":"uri","type":"string"}},"type":"object"}}})";

bool fits(const schema& compiled, const std::string& instance)
{
    return compiled.check(json::parse(instance)).empty();
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_start)

BOOST_AUTO_TEST_CASE(checking_begins_with_any_schema_of_the_document)
{
    const schema annotated = schema::compile(json::parse(document), "#/definitions/Annotated");
    BOOST_TEST(fits(annotated, R"({"audience":["user"],"uri":"?"})"));
    BOOST_TEST(!fits(annotated, R"({"audience":["me"]})"));
    BOOST_TEST(!fits(annotated, "7"));
}

BOOST_AUTO_TEST_CASE(a_document_is_compiled_once_for_all_its_schemas)
{
    const schema role = schema::compile(json::parse(document)).from("#/definitions/Role");
    BOOST_TEST(fits(role, R"("user")"));
    BOOST_TEST(!fits(role, R"("me")"));
    BOOST_TEST(fits(role.from("#"), R"("me")"));
}

BOOST_AUTO_TEST_CASE(a_start_that_is_no_schema_is_refused)
{
    BOOST_CHECK_EXCEPTION(schema::compile(json::parse(document), "#/definitions/Rule"), std::invalid_argument,
                          [](const std::invalid_argument& error) {
                              return error.what() == std::string("there is no schema at #/definitions/Rule: the "
                                                                 "reference leads to no schema in the document");
                          });
}

BOOST_AUTO_TEST_SUITE_END()
