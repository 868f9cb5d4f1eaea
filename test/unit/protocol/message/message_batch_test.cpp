#include "message_support.hpp"
#include "unit/protocol/exact_text.hpp"
#include "unit/protocol/vectors.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using test::exact_text;
using kind = message_type;

namespace {

char letter_of(const message& read)
{
    if (read.problem.what == defect::kind::not_json)
        return 'j';
    switch (read.type) {
    case kind::request: return 'q';
    case kind::notification: return 'n';
    case kind::reply: return 'r';
    case kind::batch: return '[';
    case kind::bad: break;
    }
    return 'b';
}

std::string letters_of(message_reader& reader, std::string_view text)
{
    std::string letters(1, letter_of(reader.read(text)));
    if (letters != "[")
        return letters;
    for (const std::string_view element : reader.elements())
        letters += letter_of(reader.read_element(element));
    return letters + ']';
}

} // namespace

BOOST_AUTO_TEST_SUITE(message_batch)

BOOST_AUTO_TEST_CASE(the_examples_of_the_specification_are_told_apart)
{
    message_reader reader{limits()};
    for (const test::vector& v : test::vectors)
        BOOST_TEST_CONTEXT(v.text)
    BOOST_TEST(letters_of(reader, exact_text(v.text)) == v.kinds);
}

BOOST_AUTO_TEST_CASE(elements_come_in_order_without_the_space_around_them)
{
    message_reader reader{limits()};
    const exact_text text(" [ {\"id\" : 1} ,\t2 , \"]\" , [3] ]\r\n");
    BOOST_TEST(reader.read(text).type == kind::batch);
    const std::vector<std::string_view> expected = {"{\"id\" : 1}", "2", "\"]\"", "[3]"};
    BOOST_TEST(reader.elements() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_element_is_read_like_a_message_but_may_be_no_batch)
{
    message_reader reader{limits()};
    const exact_text text(R"([{"jsonrpc":"2.0","id":"\u0061","method":"m","params":[1]},)"
                          R"([],[1],{"id":2},{"result":1,"id":3}])");
    BOOST_TEST(letters_of(reader, text) == "[qbbbr]");
    reader.read(text);
    const std::vector<std::string_view> elements = reader.elements();
    const message& request = reader.read_element(elements[0]);
    BOOST_TEST(request.id_key == R"("a")");
    BOOST_TEST(request.params.text() == "[1]");
    BOOST_TEST(reader.read_element(elements[1]).problem.reason == "expected an object");
    BOOST_TEST(reader.read_element(elements[3]).id == "2");
    BOOST_TEST(reader.elements().size() == 5u);
}

BOOST_AUTO_TEST_CASE(white_space_behind_an_element_is_none_of_its_own)
{
    message_reader reader{limits()};
    const exact_text text("[ {\"jsonrpc\":\"2.0\",\"method\":\"m\"} , {} , {\"result\":{ } }\n]");
    BOOST_TEST(letters_of(reader, text) == "[nbr]");
}

BOOST_AUTO_TEST_CASE(the_next_message_is_no_batch_any_more)
{
    message_reader reader{limits()};
    reader.read("[1]");
    reader.read("{}");
    BOOST_TEST(reader.elements().empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(message_members)

BOOST_AUTO_TEST_CASE(members_are_found_decoded_and_the_last_of_them)
{
    message_reader reader{limits()};
    const auto find = [&](std::string_view object, std::string_view name) {
        const exact_text text(object);
        return std::string(reader.find_member(json_view::checked(text), name).text());
    };
    BOOST_TEST(find(R"({"a":1,"b":{"c":[2]}})", "b") == R"({"c":[2]})");
    BOOST_TEST(find(R"({"a":1,"b":{"c":[2]}})", "c") == "");
    BOOST_TEST(find(R"({ "a" : "x" , "a" : "y" })", "a") == R"("y")");
    BOOST_TEST(find(R"({"\u0061":true})", "a") == "true");
    BOOST_TEST(find("{}", "a") == "");
    BOOST_TEST(find("[1]", "a") == "");
    BOOST_TEST(find("", "a") == "");
}

// What the params have is looked for after the first message, and noted while later ones are checked.
BOOST_AUTO_TEST_CASE(params_are_gone_through_once)
{
    struct row {
        std::string params, name, value;
    };
    const std::vector<row> rows = {
        {R"({"a":1,"b":{"c":[2]}})", "b", R"({"c":[2]})"},
        {R"({"a":1,"b":{"c":[2]}})", "c", ""},
        {R"({ "a" : "x" , "a" : "y" })", "a", R"("y")"},
        {R"({"\u0061":true})", "a", "true"},
        {R"({"a":1,"\u0061":2})", "a", "2"},
        {R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8})", "h", "8"},
        {R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9})", "i", "9"},
        {R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"a":9})", "a", "9"},
        {"{}", "a", ""},
        {"[1]", "a", ""},
        {"null", "a", ""},
    };
    message_reader reader{limits()};
    for (int round = 0; round != 2; ++round)
        for (const row& one : rows) {
            const exact_text text(R"({"jsonrpc":"2.0","method":"m","params":)" + one.params + '}');
            reader.read(text);
            BOOST_TEST(reader.find_param(one.name).text() == one.value, one.params);
            BOOST_TEST(reader.find_param(one.name).text() == one.value, one.params);
        }
}

BOOST_AUTO_TEST_CASE(params_are_those_of_the_last_message)
{
    message_reader reader{limits()};
    const std::string with_params = R"({"jsonrpc":"2.0","method":"m","params":{"a":1}})";
    for (const std::string next :
         {R"({"jsonrpc":"2.0","method":"m"})", R"({"jsonrpc":"2.0","method":"m","params":[]})",
          R"({"jsonrpc":"2.0","id":1,"result":{"a":2}})", "[]", "1", "{", R"({"params":{"a":3})"}) {
        reader.read(with_params);
        BOOST_TEST(reader.find_param("a").text() == "1");
        const exact_text text(next);
        reader.read(text);
        BOOST_TEST(reader.find_param("a").text() == "", next);
    }
    const exact_text batch(R"([{"jsonrpc":"2.0","method":"m","params":{"a":4}},{"jsonrpc":"2.0","method":"m"}])");
    reader.read(batch);
    reader.read_element(reader.elements()[0]);
    BOOST_TEST(reader.find_param("a").text() == "4");
    reader.read_element(reader.elements()[1]);
    BOOST_TEST(reader.find_param("a").text() == "");
}

BOOST_AUTO_TEST_CASE(an_expected_object_changes_nothing)
{
    const std::string expected = R"({"a":{"b":1}})";
    const std::vector<std::string> params = {
        expected,
        R"([{"a":{"b":1}},{"a":{"b":1}}])",
        R"({"x":{"a":{"b":1}},"a":{"b":1}})",
        R"({"x":{"a":{"b":1} }})",
        R"({"x":{"a":{"b":1}}})",
        R"({"x":{"a":{"b":12}}})",
        R"({"x":{"a":{"b":1}}}})",
        R"({"x":{"a":{"b":1}}5})",
        R"({"x":{"a":{"b":1}},})",
        R"({"x":{"a":{"b":1}})",
        R"({"x":{"a":{"b":1})",
        R"({"{\"a\":{\"b\":1}}":"{\"a\":{\"b\":1}}"})",
    };
    limits bounds;
    for (bounds.depth = 2; bounds.depth != 16; ++bounds.depth) {
        message_reader reader(bounds);
        message_reader plain(bounds);
        reader.expect(json_view::checked(expected));
        for (std::string text : params)
            for (int around = 0; around != 8; ++around, text = "[" + text + "]") {
                const exact_text whole(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + text + '}');
                const message& wanted = plain.read(whole);
                const message& read = reader.read(whole);
                BOOST_TEST((read.type == wanted.type && read.problem.what == wanted.problem.what), whole.view());
                BOOST_TEST(read.params.text() == wanted.params.text());
                BOOST_TEST(read.problem.offset == wanted.problem.offset, whole.view());
                BOOST_TEST(read.problem.reason == wanted.problem.reason, whole.view());
                reader.release_memory(); // what is expected stays so
                plain.release_memory();
            }
    }
}

BOOST_AUTO_TEST_CASE(an_id_is_found_among_members)
{
    struct row {
        std::string object, text, key;
    };
    const std::vector<row> rows = {
        {R"({"id":1})", "1", "1"},
        {R"({"x":0,"id":"\u0061"})", R"("\u0061")", R"("a")"},
        {R"({"id":null})", "null", "null"},
        {R"({"id":1,"id":2})", "2", "2"},
        {R"({"id":true})", "", ""},
        {R"({"id":false})", "", ""},
        {R"({"id":[]})", "", ""},
        {R"({"id":{}})", "", ""},
        {R"({"Id":1})", "", ""},
        {"[1]", "", ""},
        {"", "", ""},
        {R"({"id":")" + std::string(1024, 'x') + "\"}", "", ""},
    };
    message_reader reader{limits()};
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.object)
        {
            const exact_text object(r.object);
            std::string_view text, key;
            BOOST_TEST(reader.find_id(json_view::checked(object), "id", text, key) == !r.text.empty());
            BOOST_TEST(text == r.text);
            BOOST_TEST(key == r.key);
        }
}

BOOST_AUTO_TEST_CASE(looking_into_params_leaves_the_message_alone)
{
    message_reader reader{limits()};
    const exact_text text(R"({"jsonrpc":"2.0","id":"\u0031","method":"\u006d","params":{"\u0069d":"\u0032"}})");
    const message& read = reader.read(text);
    std::string_view found, key;
    BOOST_TEST(reader.find_id(read.params, "id", found, key));
    BOOST_TEST(key == R"("2")");
    BOOST_TEST(read.id_key == R"("1")");
    BOOST_TEST(read.method == "m");
}

BOOST_AUTO_TEST_SUITE_END()
