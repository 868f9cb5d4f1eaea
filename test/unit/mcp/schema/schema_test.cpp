#include "mcp/schema/schema.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::mcp::mismatch;
using partyline::mcp::schema;
namespace json = boost::json;

namespace partyline::mcp {

std::ostream& operator<<(std::ostream& out, const mismatch& m)
{
    return out << '[' << m.where << "] expected " << m.expected << ", got " << m.got;
}

} // namespace partyline::mcp

namespace {

struct row {
    std::string document;
    std::string instance;
    std::vector<mismatch> mismatches;
};

void check(const std::vector<row>& rows)
{
    for (const row& r : rows) {
        BOOST_TEST_CONTEXT(r.document << " of " << r.instance)
        {
            const schema compiled = schema::compile(json::parse(r.document));
            BOOST_TEST(compiled.check(json::parse(r.instance)) == r.mismatches, boost::test_tools::per_element());
        }
    }
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_)

BOOST_AUTO_TEST_CASE(a_number_is_told_the_bounds_it_has_to_keep)
{
    check({
        {R"({"type":"integer","minimum":1,"maximum":1000})", "1", {}},
        {R"({"type":"integer","minimum":1,"maximum":1000})", "1000.0", {}},
        {R"({"type":"integer","minimum":1,"maximum":1000})", "0", {{"", "integer from 1 to 1000", "0"}}},
        {R"({"type":"integer","minimum":1,"maximum":1000})", "1.5", {{"", "integer", "number"}}},
        {R"({"type":"number","exclusiveMinimum":0})", "0", {{"", "number above 0", "0"}}},
        {R"({"exclusiveMinimum":0,"maximum":0.5})", "1", {{"", "number above 0 and of at most 0.5", "1"}}},
        {R"({"minimum":3})", "2", {{"", "number of at least 3", "2"}}},
        {R"({"exclusiveMaximum":3})", "3.0", {{"", "number below 3", "3"}}},
        {R"({"type":"integer","multipleOf":5})", "7", {{"", "integer that is a multiple of 5", "7"}}},
        {R"({"minimum":9007199254740993})",
         "9007199254740992.0",
         {{"", "number of at least 9007199254740993", "9007199254740992"}}},
        {R"({"minimum":3})", R"("2")", {}},
    });
}

BOOST_AUTO_TEST_CASE(a_string_is_counted_in_characters)
{
    check({
        {R"({"type":"string","minLength":1,"maxLength":2})", R"("ä🐲")", {}},
        {R"({"type":"string","minLength":1,"maxLength":2})",
         R"("")",
         {{"", "string of 1 to 2 characters", "0 characters"}}},
        {R"({"maxLength":1})", R"("ää")", {{"", "string of at most 1 character", "2 characters"}}},
        {R"({"minLength":2.0})", R"("a")", {{"", "string of at least 2 characters", "1 character"}}},
        {R"({"pattern":"^a*$"})", R"("ab")", {{"", "string that matches ^a*$", "ab"}}},
        {R"({"type":"string"})", "null", {{"", "string", "null"}}},
        {R"({"format":"email"})", R"("no address")", {}},
    });
}

BOOST_AUTO_TEST_CASE(only_certain_values)
{
    check({
        {R"({"enum":["by_name","by_date"]})", R"("by_date")", {}},
        {R"({"enum":["by_name","by_date"]})", R"("size")", {{"", "one of by_name, by_date", "size"}}},
        {R"({"enum":["","b"]})", R"("c")", {{"", "one of \"\", b", "c"}}},
        {R"({"pattern":"a"})", R"("")", {{"", "string that matches a", "\"\""}}},
        {R"({"enum":[1,null]})", "1.0", {}},
        {R"({"enum":[1,null]})", "[1]", {{"", "one of 1, null", "array"}}},
        {R"({"const":{"a":1,"b":[2]}})", R"({"b":[2.0],"a":1})", {}},
        {R"({"const":"2.0"})", "2.0", {{"", "2.0", "2"}}},
        {R"({"type":["string","null"]})", "7", {{"", "string or null", "integer"}}},
        {"false", "7", {{"", "nothing", "integer"}}},
        {"true", "7", {}},
    });
}

BOOST_AUTO_TEST_CASE(all_wrong_members_are_told_with_their_places)
{
    const std::string search = R"({"type":"object","properties":{"pattern":{"type":"string","minLength":1},)"
                               R"("limit":{"type":"integer","minimum":1},"sort":{"enum":["by_name","by_date"]}},)"
                               R"("required":["pattern"],"additionalProperties":false})";
    check({
        {search, R"({"pattern":"x"})", {}},
        {search, "[]", {{"", "object", "array"}}},
        {search,
         R"({"limit":0,"sort":"size","x/y~":1})",
         {{"/pattern", "string of at least 1 character", "nothing"},
          {"/limit", "integer of at least 1", "0"},
          {"/sort", "one of by_name, by_date", "size"},
          {"/x~1y~0", "nothing", "integer"}}},
        {R"({"properties":{"a":{"items":{"required":["b"]}}}})",
         R"({"a":[{"b":1},{}]})",
         {{"/a/1/b", "value", "nothing"}}},
        {R"({"patternProperties":{"^x":{"type":"null"}}})", R"({"ax":1,"xa":1})", {{"/xa", "null", "integer"}}},
        {R"({"propertyNames":{"maxLength":2}})",
         R"({"abc":1})",
         {{"", "object whose names are each string of at most 2 characters", "abc"}}},
        {R"({"minProperties":2})", "{}", {{"", "object of at least 2 members", "0 members"}}},
        {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})", {{"/b", "value", "nothing"}}},
        {R"({"dependentSchemas":{"a":{"maxProperties":1}}})",
         R"({"a":1,"b":2})",
         {{"", "object of at most 1 member", "2 members"}}},
    });
}

BOOST_AUTO_TEST_CASE(no_more_than_ten_are_told)
{
    const schema compiled = schema::compile(json::parse(R"({"items":{"type":"string"}})"));
    BOOST_TEST(compiled.check(json::array(100, 7)).size() == 10);
}

BOOST_AUTO_TEST_CASE(arrays)
{
    check({
        {R"({"type":"array","minItems":1})", "[]", {{"", "array of at least 1 element", "0 elements"}}},
        {R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})",
         R"(["a",1,"b"])",
         {{"/2", "integer", "string"}}},
        {R"({"uniqueItems":true})",
         R"([{"a":1,"b":2},3,{"b":2.0,"a":1}])",
         {{"", "array whose elements differ", "equal elements 0 and 2"}}},
        {R"({"uniqueItems":true})", "[1,true,\"1\",[1],{},null,0,false]", {}},
        {R"({"contains":{"type":"string"}})",
         "[1]",
         {{"", "array of at least 1 element that is string", "0 such elements"}}},
        {R"({"contains":{"const":1},"minContains":0,"maxContains":1})",
         "[1,1]",
         {{"", "array of at most 1 element that is 1", "2 such elements"}}},
    });
}

BOOST_AUTO_TEST_CASE(of_alternatives_the_one_that_is_meant_says_what_is_wrong)
{
    const std::string content = R"({"anyOf":[)"
                                R"({"type":"object","required":["type","text"],)"
                                R"("properties":{"type":{"const":"text"},"text":{"type":"string"}}},)"
                                R"({"type":"object","required":["type","uri"],)"
                                R"("properties":{"type":{"const":"link"},"uri":{"type":"string"}}},)"
                                R"({"type":"null"}]})";
    check({
        {content, R"({"type":"link","uri":"x"})", {}},
        {content, R"({"type":"link","uri":1})", {{"/uri", "string", "integer"}}},
        {content, R"({"type":"lint"})", {{"/type", "text or link", "lint"}}},
        {content, "7", {{"", "object with type, text or object with type, uri or null", "7"}}},
        {R"({"anyOf":[{"type":"string"},{"type":"integer","minimum":3}]})",
         "2",
         {{"", "string or integer of at least 3", "2"}}},
        {R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "1.5", {{"", "integer or number of at least 2", "1.5"}}},
        {R"({"oneOf":[{"type":"integer"},{"minimum":2}]})",
         "3",
         {{"", "value that fits one of 2 schemas and no other", "integer that fits two"}}},
        {R"({"not":{"type":"string"}})", R"("a")", {{"", "value that is not string", "a"}}},
        {R"({"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}})",
         R"({"a":1})",
         {{"/b", "value", "nothing"}}},
        {R"({"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}})",
         "{}",
         {{"/c", "value", "nothing"}}},
    });
}

BOOST_AUTO_TEST_CASE(references_lead_to_other_schemas_of_the_document)
{
    const std::string tree = R"({"$defs":{"node":{"type":"object","properties":{"of":{"$ref":"#/$defs/node"}},)"
                             R"("additionalProperties":false}},"$ref":"#/$defs/node"})";
    check({
        {tree, R"({"of":{"of":{}}})", {}},
        {tree, R"({"of":{"of":{"off":1}}})", {{"/of/of/off", "nothing", "integer"}}},
        {R"({"$defs":{"a/b":{"type":"null"}},"$ref":"#/$defs/a~1b"})", "1", {{"", "null", "integer"}}},
        {R"({"$defs":{"a b":{"type":"null"}},"$ref":"#/$defs/a%20b"})", "1", {{"", "null", "integer"}}},
        {R"({"$defs":{"a":{"$anchor":"here","type":"null"}},"$ref":"#here"})", "1", {{"", "null", "integer"}}},
        {R"({"$defs":{"a":{"$dynamicAnchor":"here","type":"null"}},"$ref":"#here"})", "1", {{"", "null", "integer"}}},
        {R"({"$id":"http://a/b/c","$defs":{"x":{"$id":"d","type":"null"}},"$ref":"/b/d"})",
         "1",
         {{"", "null", "integer"}}},
        {R"({"items":{"$ref":"#"},"type":"array"})", "[[],[1]]", {{"/1/0", "array", "integer"}}},
    });
}

// rule: mcp.schema.dialect
BOOST_AUTO_TEST_CASE(what_no_schema_has_looked_at_is_unevaluated)
{
    const std::string closed = R"({"allOf":[{"properties":{"a":true}}],"anyOf":[{"properties":{"b":{"type":"null"}},)"
                               R"("required":["b"]},true],"unevaluatedProperties":false})";
    check({
        {closed, R"({"a":1,"b":null})", {}},
        {closed, R"({"a":1,"b":2})", {{"/b", "nothing", "integer"}}},
        {closed, R"({"c":1})", {{"/c", "nothing", "integer"}}},
        {R"({"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":{"type":"null"}})",
         R"([1,"a",null,2])",
         {{"/3", "null", "integer"}}},
    });
}

BOOST_AUTO_TEST_CASE(draft_07_has_rules_of_its_own)
{
    const std::string draft = R"("$schema":"http://json-schema.org/draft-07/schema#")";
    check({
        {"{" + draft + R"(,"items":[{"type":"string"}],"additionalItems":{"type":"integer"}})",
         R"(["a",1,"b"])",
         {{"/2", "integer", "string"}}},
        {"{" + draft + R"(,"items":{"type":"string"},"additionalItems":false})", R"(["a","b"])", {}},
        {"{" + draft + R"(,"dependencies":{"a":["b"],"c":{"maxProperties":1}}})",
         R"({"a":1,"c":1})",
         {{"/b", "value", "nothing"}, {"", "object of at most 1 member", "2 members"}}},
        {"{" + draft + R"(,"definitions":{"a":{"type":"null"}},"$ref":"#/definitions/a","type":"integer"})",
         "null",
         {}},
        {"{" + draft + R"(,"definitions":{"a":{"$id":"#here","type":"null"}},"items":{"$ref":"#here"}})",
         "[1]",
         {{"/0", "null", "integer"}}},
    });
}

BOOST_AUTO_TEST_SUITE_END()
