#include "mcp/schema/schema.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using partyline::mcp::schema;
namespace json = boost::json;

namespace {

// "" when it is not refused.
std::string refusal(const std::string& document)
{
    try {
        schema::compile(json::parse(document));
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

struct row {
    std::string document;
    std::string why;
};

void check(const std::vector<row>& rows)
{
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.document)
    BOOST_TEST(refusal(r.document) == r.why);
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_refusals)

// rule: mcp.schema.other_dialect, mcp.schema.told
BOOST_AUTO_TEST_CASE(what_is_not_known_is_named)
{
    check({
        {R"({"properties":{"limit":{"minimm":1}}})",
         "in the schema at /properties/limit/minimm: there is no such keyword in JSON Schema 2020-12"},
        {R"({"dependencies":{}})", "in the schema at /dependencies: there is no such keyword in JSON Schema 2020-12"},
        {R"({"$schema":"http://json-schema.org/draft-07/schema","prefixItems":[true]})",
         "in the schema at /prefixItems: there is no such keyword in JSON Schema draft-07"},
        {R"({"$schema":"http://json-schema.org/draft-04/schema#"})",
         "in the schema at /$schema: the dialect \"http://json-schema.org/draft-04/schema#\" is not supported, only "
         "2020-12 and draft-07"},
        {R"({"$schema":"https://json-schema.org/draft/2020-12/schema#","items":{"$schema":"y"}})",
         "in the schema at /items/$schema: a document has one dialect"},
        {R"({"$schema":7})", "in the schema at /$schema: it has to be a string"},
        {"7", "in the schema: a schema has to be an object, true or false"},
        {R"({"items":[true]})", "in the schema at /items: a schema has to be an object, true or false"},
    });
}

BOOST_AUTO_TEST_CASE(readers_annotations_and_a_users_own_keywords_are_let_be)
{
    check({
        {R"({"title":"t","description":"d","default":1,"examples":[1],"$comment":"c","deprecated":true,)"
         R"("readOnly":true,"writeOnly":false,"format":"of my own","contentEncoding":"base64",)"
         R"("contentMediaType":"x/y","contentSchema":{},"x-mcp-header":"Region",)"
         R"("enumNames":["a"],"definitions":{"a":true}})",
         ""},
        {R"({"default":{"minimm":1},"enum":[{"$ref":"http://x"}],"const":{"$id":7},"properties":{"$ref":{}}})", ""},
    });
}

// rule: mcp.schema.no_fetch, mcp.schema.unresolved
BOOST_AUTO_TEST_CASE(references_stay_in_the_document)
{
    check({
        {R"({"$ref":"http://example.com/x.json"})",
         "in the schema at /$ref: the reference leads out of the document, and nothing is fetched"},
        {R"({"$ref":"x.json"})",
         "in the schema at /$ref: the reference leads out of the document, and nothing is fetched"},
        {R"({"$ref":"#/$defs/x"})", "in the schema at /$ref: the reference leads to no schema in the document"},
        {R"({"$ref":"#x"})", "in the schema at /$ref: the reference leads to no schema in the document"},
        {R"({"$ref":"#/%zz"})", "in the schema at /$ref: the reference leads to no schema in the document"},
        {R"({"properties":{"a":{}},"$ref":"#/properties"})",
         "in the schema at /$ref: the reference leads to no schema in the document"},
        {R"({"items":{"$dynamicRef":"#x"}})",
         "in the schema at /items/$dynamicRef: dynamic references are not supported, only \"$ref\""},
        {R"({"$recursiveRef":"#"})",
         "in the schema at /$recursiveRef: dynamic references are not supported, only \"$ref\""},
        {R"({"$ref":7})", "in the schema at /$ref: it has to be a string"},
        {R"({"$ref":"#"})", "in the schema: it leads back to itself without a step into the value"},
        {R"({"$defs":{"a":{"anyOf":[{"not":{"$ref":"#/$defs/a"}}]}}})",
         "in the schema at /$defs/a: it leads back to itself without a step into the value"},
        {R"({"properties":{"a":{"$ref":"#"}}})", ""},
    });
}

BOOST_AUTO_TEST_CASE(names_are_given_once)
{
    check({
        {R"({"$id":"a#b"})", "in the schema at /$id: it must not have a fragment; \"$anchor\" is for that"},
        {R"({"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}})",
         "in the schema at /$defs/b/$id: another schema has the same"},
        {R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})",
         "in the schema at /$defs/b: another schema has the same anchor"},
        {R"({"$anchor":"1"})", "in the schema: an anchor has to be a plain name"},
        {R"({"$anchor":1})", "in the schema at /$anchor: it has to be a text"},
    });
}

// rule: mcp.schema.valid
BOOST_AUTO_TEST_CASE(values_of_keywords_are_of_their_kind)
{
    check({
        {R"({"type":"int"})",
         "in the schema at /type: a type is null, boolean, integer, number, string, array or object"},
        {R"({"type":[]})", "in the schema at /type: it has to name a type"},
        {R"({"enum":1})", "in the schema at /enum: it has to be an array"},
        {R"({"minimum":"1"})", "in the schema at /minimum: it has to be a number"},
        {R"({"multipleOf":0})", "in the schema at /multipleOf: it has to be above 0"},
        {R"({"minLength":-1})", "in the schema at /minLength: it has to be an integer of at least 0"},
        {R"({"minItems":1.5})", "in the schema at /minItems: it has to be an integer of at least 0"},
        {R"({"maxItems":1e300})", ""},
        {R"({"uniqueItems":1})", "in the schema at /uniqueItems: it has to be true or false"},
        {R"({"required":"a"})", "in the schema at /required: it has to be an array of names"},
        {R"({"required":[1]})", "in the schema at /required: it has to be an array of names"},
        {R"({"dependentRequired":[]})", "in the schema at /dependentRequired: it has to be an object"},
        {R"({"properties":[]})", "in the schema at /properties: it has to be an object of schemas"},
        {R"({"allOf":{}})", "in the schema at /allOf: it has to be an array of schemas"},
        {R"({"anyOf":[]})", "in the schema at /anyOf: it has to have a schema"},
        {R"({"not":1})", "in the schema at /not: a schema has to be an object, true or false"},
        {R"({"format":1})", "in the schema at /format: it has to be a string"},
        {R"x({"pattern":"(?=a)"})x",
         "in the schema at /pattern: at character 2 of the pattern: look-around cannot be matched in linear time"},
        {R"({"patternProperties":{"(a":{}}})",
         "in the schema at /patternProperties: at character 2 of the pattern: a parenthesis is not closed"},
    });
}

BOOST_AUTO_TEST_SUITE_END()
