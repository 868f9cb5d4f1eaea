#include "message_support.hpp"
#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/message.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using test::exact_text;
using kind = message_type;

namespace {

std::string repeated(std::string_view text, int times)
{
    std::string all;
    while (times-- > 0)
        all += text;
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(message_limits)

BOOST_AUTO_TEST_CASE(an_id_may_be_as_long_as_the_limit)
{
    limits bounds;
    bounds.id_bytes = 8;
    message_reader reader(bounds);
    struct row {
        std::string id;
        bool is_taken;
    };
    const std::vector<row> rows = {
        {R"("123456")", true}, {R"("1234567")", false}, {"12345678", true},
        {"123456789", false},  {R"("\u0061")", true},   {R"("\u0061a")", false},
    };
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.id)
        {
            const exact_text text(R"({"jsonrpc":"2.0","method":"m","id":)" + r.id + "}");
            const message& read = reader.read(text);
            BOOST_TEST(read.type == (r.is_taken ? kind::request : kind::bad));
            BOOST_TEST(read.id == (r.is_taken ? r.id : ""));
            BOOST_TEST(read.problem.what == (r.is_taken ? defect::kind::none : defect::kind::id_too_long));
            BOOST_TEST(read.problem.limit == (r.is_taken ? 0 : 8u));
            BOOST_TEST(read.problem.value == (r.is_taken ? 0 : r.id.size()));
        }
    const exact_text response(R"({"jsonrpc":"2.0","result":1,"id":"1234567"})");
    BOOST_TEST(reader.read(response).type == kind::reply);
    BOOST_TEST(reader.read(response).id.empty());
}

BOOST_AUTO_TEST_CASE(a_message_may_be_as_deep_as_the_limit)
{
    limits bounds;
    bounds.depth = 4;
    message_reader reader(bounds);
    const exact_text fits(R"({"jsonrpc":"2.0","method":"m","params":[{"a":[]}],"id":1})");
    BOOST_TEST(reader.read(fits).type == kind::request);
    const exact_text fits_as_batch(R"([{"jsonrpc":"2.0","method":"m","params":[[]]}])");
    BOOST_TEST(reader.read(fits_as_batch).type == kind::batch);
    BOOST_TEST(reader.read_element(reader.elements()[0]).type == kind::notification);
}

BOOST_AUTO_TEST_CASE(a_message_that_is_too_deep_keeps_its_id_wherever_that_stands)
{
    const std::string deep = repeated("[", 6) + repeated("]", 6);
    struct row {
        kind what;
        std::string text, id, key;
    };
    const std::vector<row> rows = {
        {kind::bad, R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + deep + "}", "1", "1"},
        {kind::bad, R"({"jsonrpc":"2.0","params":)" + deep + R"(,"method":"m","i\u0064":"\u0061"})", R"("\u0061")",
         R"("a")"},
        {kind::bad, R"({"params":)" + deep + R"(,"id":1,"id":1,"method":"m"})", "", ""},
        {kind::bad, R"({"x":)" + deep + R"(,"id":[1]})", "", ""},
        {kind::reply, R"({"jsonrpc":"2.0","result":)" + deep + R"(,"id":7})", "7", "7"},
        {kind::reply, R"({"jsonrpc":"2.0","x":)" + deep + R"(,"id":7,"error":{}})", "7", "7"},
        {kind::bad, R"({"jsonrpc":"2.0","result":)" + deep + R"(,"id":7,"method":"m"})", "7", "7"},
        {kind::bad, R"([{"id":1,"params":)" + deep + "}]", "", ""},
        {kind::bad, R"({"id":)" + deep + "}", "", ""},
    };
    limits bounds;
    bounds.depth = 4;
    message_reader reader(bounds);
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
        {
            const exact_text text(r.text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == r.what);
            BOOST_TEST(read.id == r.id);
            BOOST_TEST(read.id_key == r.key);
            BOOST_TEST(read.problem.what == defect::kind::too_deep);
            BOOST_TEST(read.problem.limit == 4u);
            BOOST_TEST(read.problem.value >= 7u);
            BOOST_TEST(reader.elements().empty());
        }
}

BOOST_AUTO_TEST_CASE(a_hostile_depth_costs_no_stack)
{
    message_reader reader{limits()};
    const exact_text text(R"({"jsonrpc":"2.0","method":"m","params":)" + std::string(1'000'000, '['));
    BOOST_TEST(reader.read(text).problem.what == defect::kind::too_deep);
    BOOST_TEST(reader.read(text).problem.value == 1'000'001u);
}

BOOST_AUTO_TEST_CASE(a_batch_may_be_as_long_as_the_limit)
{
    limits bounds;
    bounds.batch_elements = 3;
    message_reader reader(bounds);
    BOOST_TEST(reader.read("[1,2,3]").type == kind::batch);
    BOOST_TEST(reader.elements().size() == 3u);
    BOOST_TEST(reader.read("[1,2,3]").problem.what == defect::kind::none);
    const message& read = reader.read("[1,2,3,4,5]");
    BOOST_TEST(read.type == kind::batch);
    BOOST_TEST(read.problem.what == defect::kind::batch_too_long);
    BOOST_TEST(read.problem.limit == 3u);
    BOOST_TEST(read.problem.value == 5u);
    BOOST_TEST(reader.elements().size() == 5u); // each of them can be refused
    BOOST_TEST(reader.read("[1,2,3,4,5,6,7,8,9,10,11,12,13]").type == kind::bad);
    BOOST_TEST(read.problem.what == defect::kind::batch_too_long);
    BOOST_TEST(read.problem.value == 13u);
    BOOST_TEST(reader.elements().empty());
    BOOST_TEST(reader.read("[1,2,3,4,5").problem.what == defect::kind::not_json);
}

BOOST_AUTO_TEST_SUITE_END()
