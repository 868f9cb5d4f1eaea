#include "unit/rpc/handler_runner.hpp"

#include <partyline/rpc/detail/typed_handler.hpp>
#include <partyline/rpc/json_schema.hpp>
#include <partyline/rpc/notes.hpp>

#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace partyline::detail;
using namespace partyline;
namespace json = boost::json;

namespace library {

enum class encoding { utf_8, utf_16 };
BOOST_DESCRIBE_ENUM(encoding, utf_8, utf_16)
constexpr auto notes_of(partyline::of<encoding>)
{
    return notes(note(encoding::utf_8, wire_name("utf-8")),
                 note(encoding::utf_16, "as in UTF-16", wire_name("utf-16")));
}

enum class severity { error = 1, warning = 2 };
BOOST_DESCRIBE_ENUM(severity, error, warning)
constexpr auto notes_of(partyline::of<severity>)
{
    return notes(as_numbers, note(severity::error, "It is no program"));
}

struct search {
    std::string pattern;
    int limit = 50;
    encoding in = encoding::utf_8;
    std::optional<double> ratio;
    std::vector<std::string> folders;
    std::string sort = "name";
    std::uint64_t size = 0;
    std::string class_;

    static constexpr auto notes()
    {
        using me = search;
        return partyline::notes(note(&me::pattern, "Text to look for", length(1, 5)),
                                note(&me::limit, "At most so many", defaulted, range(1, 1000)),
                                note(&me::in, defaulted), note(&me::ratio, "Between 0 and 1", range(0.0, 1.0)),
                                note(&me::folders, defaulted, length(1)),
                                note(&me::sort, defaulted, one_of("name", "date")),
                                note(&me::size, defaulted, at_least(1), at_most(18446744073709551614u)),
                                note(&me::class_, "A word of C++", wire_name("class"), defaulted, format("email")));
    }
};
BOOST_DESCRIBE_STRUCT(search, (), (pattern, limit, in, ratio, folders, sort, size, class_))

// Not to be changed.
struct point {
    int x = 7;
    int y = 8;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))
constexpr auto notes_of(partyline::of<point>)
{
    return notes(note(&point::x, defaulted, at_most(10)));
}

struct named_point : point {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(named_point, (point), (name))

} // namespace library

namespace {

std::string to_text(const library::search& s)
{
    return s.pattern + ' ' + std::to_string(s.limit) + (s.in == library::encoding::utf_16 ? " utf-16 " : " utf-8 ") +
           std::to_string(s.folders.size()) + ' ' + s.sort + ' ' + s.class_;
}

const std::unique_ptr<handler> whole = make_handler([](library::search s) { return to_text(s); });
const std::unique_ptr<handler> part = make_handler([](library::search s, int) { return to_text(s); }, {"search", "n"});
const std::unique_ptr<handler> points = make_handler(
    [](library::point p, library::named_point q) { return std::vector<int>{p.x, p.y, q.x, q.y}; }, {"p", "q"});
const std::unique_ptr<handler> severities =
    make_handler([](library::severity s) { return static_cast<int>(s); }, {"s"});

json::value refused(const std::string& members)
{
    const json::value as_a_whole = refusal(*whole, "{\"pattern\":\"a\"" + members + '}');
    json::value as_a_part = refusal(*part, "[{\"pattern\":\"a\"" + members + "},1]");
    json::object& told = as_a_part.as_object();
    const std::string place(told.at("parameter").as_string());
    BOOST_TEST(place.starts_with("search."));
    told["parameter"] = place.substr(std::string("search.").size());
    BOOST_TEST(as_a_part == as_a_whole);
    return as_a_whole;
}

struct diary {
    std::string notes;
    int pages = 0;
};
BOOST_DESCRIBE_STRUCT(diary, (), (notes, pages))

struct bookcase {
    struct notes {};
    int books = 0;
};
BOOST_DESCRIBE_STRUCT(bookcase, (), (books))

// Names that the library, or the libraries below it, look for in types.
enum class chapter { notes, of, schema };
BOOST_DESCRIBE_ENUM(chapter, notes, of, schema)

struct busy {
    using value_type = int;
    using mapped_type = int;
    using error_type = int;
    chapter notes_of = chapter::of;
    std::optional<chapter> notes;
    int schema = 1;
    int properties = 2;
    int value = 3;
    int begin = 4;
    int end = 5;
    int size = 6;
    int push_back = 7;
    int emplace = 8;
    int rep = 9;
    int first = 10;
    int tag_invoke = 11;
    int string = 12;
};
BOOST_DESCRIBE_STRUCT(busy, (),
                      (notes_of, notes, schema, properties, value, begin, end, size, push_back, emplace, rep, first,
                       tag_invoke, string))

} // namespace

BOOST_AUTO_TEST_SUITE(notes_suite)

BOOST_AUTO_TEST_CASE(a_member_may_be_called_notes)
{
    const auto read = make_handler([](diary d) { return d.notes + std::to_string(d.pages); });
    BOOST_TEST(run(*read, R"({"notes":"a","pages":2})") == R"("a2")");
    const auto written = make_handler([](bookcase s) { return s; });
    BOOST_TEST(run(*written, R"({"books":3})") == R"({"books":3})");
}

BOOST_AUTO_TEST_CASE(members_and_enumerators_may_be_called_what_the_library_looks_for)
{
    const auto echoed = make_handler([](busy b) { return b; });
    const char* const all =
        R"({"notes_of":"notes","notes":"schema","schema":21,"properties":22,"value":23,"begin":24,"end":25,"size":26,)"
        R"("push_back":27,"emplace":28,"rep":29,"first":30,"tag_invoke":31,"string":32})";
    BOOST_TEST(run(*echoed, all) == all);
    BOOST_TEST(json_schema<busy>().at("properties").as_object().size() == 14u);
}

BOOST_AUTO_TEST_CASE(a_defaulted_member_keeps_its_initialiser)
{
    BOOST_TEST(run(*whole, R"({"pattern":"a"})") == R"("a 50 utf-8 0 name ")");
    BOOST_TEST(run(*whole, R"({"pattern":"a","limit":null,"in":null})") == R"("a 50 utf-8 0 name ")");
    BOOST_TEST(run(*whole, R"(["a"])") == R"("a 50 utf-8 0 name ")");
    BOOST_TEST(run(*whole, R"(["a",3,"utf-16"])") == R"("a 3 utf-16 0 name ")");
    BOOST_TEST(run(*part, R"([{"pattern":"a","limit":null},1])") == R"("a 50 utf-8 0 name ")");
    BOOST_TEST(run(*points, R"({"p":{"y":1},"q":{"y":2,"name":"q"}})") == "[7,1,7,2]");
    BOOST_TEST(refusal(*whole, "{}") == mismatch("pattern", "string", "nothing"));
    BOOST_TEST(refusal(*whole, "[]") == mismatch(nullptr, "1 to 8 parameters", "0"));
}

BOOST_AUTO_TEST_CASE(a_member_has_its_name_on_the_wire)
{
    BOOST_TEST(run(*whole, R"({"pattern":"a","class":"c"})") == R"("a 50 utf-8 0 name c")");
    BOOST_TEST(run(*part, R"([{"pattern":"a","class":"c"},1])") == R"("a 50 utf-8 0 name c")");
    BOOST_TEST(refused(R"(,"class_":"c")") ==
               mismatch("class_", "one of pattern, limit, in, ratio, folders, sort, size, class", "class_"));
    BOOST_TEST(refused(R"(,"class":1)") == mismatch("class", "string", "integer"));
}

BOOST_AUTO_TEST_CASE(an_enumerator_has_its_name_on_the_wire_or_its_number)
{
    BOOST_TEST(refused(R"(,"in":"utf_16")") == mismatch("in", "one of utf-8, utf-16", "utf_16"));
    BOOST_TEST(run(*severities, "[2]") == "2");
    BOOST_TEST(run(*severities, "[1.0]") == "1");
    BOOST_TEST(refusal(*severities, "[3]") == mismatch("s", "one of 1, 2", "3"));
    BOOST_TEST(refusal(*severities, "[\"error\"]") == mismatch("s", "one of 1, 2", "string"));
}

BOOST_AUTO_TEST_CASE(numbers_have_bounds)
{
    BOOST_TEST(refused(R"(,"limit":0)") == mismatch("limit", "integer from 1 to 1000", "0"));
    BOOST_TEST(refused(R"(,"limit":1001)") == mismatch("limit", "integer from 1 to 1000", "1001"));
    BOOST_TEST(refused(R"(,"ratio":1.5)") == mismatch("ratio", "number from 0 to 1", "1.5"));
    BOOST_TEST(refused(R"(,"size":0)") == mismatch("size", "integer of at least 1", "0"));
    BOOST_TEST(refused(R"(,"size":18446744073709551615)") ==
               mismatch("size", "integer of at most 18446744073709551614", "18446744073709551615"));
    BOOST_TEST(run(*whole, R"({"pattern":"a","limit":1,"ratio":null,"size":18446744073709551614})") ==
               R"("a 1 utf-8 0 name ")");
    BOOST_TEST(run(*whole, R"({"pattern":"a","limit":1000,"ratio":1})") == R"("a 1000 utf-8 0 name ")");
    BOOST_TEST(refusal(*points, R"([{"y":1},{"x":11,"y":1,"name":""}])") ==
               mismatch("q.x", "integer of at most 10", "11"));
}

BOOST_AUTO_TEST_CASE(strings_and_containers_have_lengths)
{
    BOOST_TEST(refusal(*whole, R"({"pattern":""})") ==
               mismatch("pattern", "string of 1 to 5 characters", "0 characters"));
    BOOST_TEST(refusal(*whole, R"({"pattern":"123456"})") ==
               mismatch("pattern", "string of 1 to 5 characters", "6 characters"));
    BOOST_TEST(run(*whole, R"({"pattern":"äöü€😀"})") == R"("äöü€😀 50 utf-8 0 name ")");
    BOOST_TEST(refused(R"(,"folders":[])") == mismatch("folders", "array of at least 1 element", "0 elements"));
}

BOOST_AUTO_TEST_CASE(a_string_may_be_one_of_several)
{
    BOOST_TEST(run(*whole, R"({"pattern":"a","sort":"date"})") == R"("a 50 utf-8 0 date ")");
    BOOST_TEST(refused(R"(,"sort":"size")") == mismatch("sort", "one of name, date", "size"));
}

BOOST_AUTO_TEST_CASE(all_that_is_wrong_is_told_at_once)
{
    BOOST_TEST(refusal(*whole, R"({"limit":0,"in":"x","limits":1})") ==
               mismatches({mismatch("limits", "one of pattern, limit, in, ratio, folders, sort, size, class", "limits"),
                           mismatch("pattern", "string", "nothing"), mismatch("limit", "integer from 1 to 1000", "0"),
                           mismatch("in", "one of utf-8, utf-16", "x")}));
    BOOST_TEST(
        refusal(*part, R"({"search":{"pattern":1,"limit":0,"more":1},"n":"1"})") ==
        mismatches({mismatch("search.more", "one of pattern, limit, in, ratio, folders, sort, size, class", "more"),
                    mismatch("search.pattern", "string", "integer"),
                    mismatch("search.limit", "integer from 1 to 1000", "0"), mismatch("n", "integer", "string")}));
    BOOST_TEST(refusal(*part, R"({"search":1,"m":1})") ==
               mismatches({mismatch("m", "one of search, n", "m"), mismatch("search", "object", "integer"),
                           mismatch("n", "integer", "nothing")}));
}

BOOST_AUTO_TEST_CASE(but_not_more_than_ten)
{
    std::string params = "{";
    for (int i = 0; i != 1000; ++i)
        params += (i ? ",\"x" : "\"x") + std::to_string(i) + "\":1";
    const json::value told = refusal(*whole, params + '}');
    BOOST_TEST(told.at("others").as_array().size() == 9u);
}

BOOST_AUTO_TEST_SUITE_END()
