#include "message_support.hpp"
#include "support/name_families.hpp"
#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/message.hpp>

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace partyline;
using test::exact_text;
using kind = message_type;

namespace {

struct params_hint final : message_reader::params_hint {
    std::vector<std::string> asked;
    std::size_t room = 0; // for the params that were asked about last

    bool wants_value(std::string_view method, std::size_t bytes) override
    {
        asked.emplace_back(method);
        room = bytes;
        return true;
    }
};

struct fixture {
    params_hint ahead;
    message_reader reader{limits(), &ahead};
};

std::string built(const message& from)
{
    return boost::json::serialize(from.params.to_value());
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(message_foresight, fixture)

BOOST_AUTO_TEST_CASE(a_value_that_was_built_ahead_can_be_had_again_from_the_text)
{
    const exact_text text(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,-2.5,"\u0061",null,true]}})");
    const message& read = reader.read(text);
    BOOST_TEST(ahead.asked == std::vector<std::string>{"m"}, boost::test_tools::per_element());
    BOOST_TEST(read.type == kind::request);
    BOOST_TEST(read.params.text() == R"({"a":[1,-2.5,"\u0061",null,true]})");
    BOOST_TEST(built(read) == R"({"a":[1,-2.5E0,"a",null,true]})");
    BOOST_TEST(built(read) == R"({"a":[1,-2.5E0,"a",null,true]})");
}

BOOST_AUTO_TEST_CASE(nobody_is_asked_where_nothing_is_to_be_built)
{
    const std::vector<std::string> texts = {
        R"({"jsonrpc":"2.0","id":1,"params":[1],"method":"m"})", // not known yet
        R"({"jsonrpc":"2.0","id":1,"method":"m"})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})",
        R"({"jsonrpc":"2.0","id":1,"result":[1]})",
    };
    for (const std::string& t : texts) {
        const exact_text text(t);
        reader.read(text);
        BOOST_TEST(ahead.asked.empty(), t.substr(0, 60));
    }
}

BOOST_AUTO_TEST_CASE(who_is_asked_knows_how_long_they_may_be)
{
    const std::string params = R"(["])" + std::string(5000, 'x') + R"("])";
    const exact_text text(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + params + "}");
    const message& read = reader.read(text);
    BOOST_TEST(ahead.room == params.size() + 1);
    BOOST_TEST(built(read) == params);
}

BOOST_AUTO_TEST_CASE(readers_that_share_memory_keep_their_own_bounds_and_hints)
{
    const exact_text text(R"({"jsonrpc":"2.0","id":12,"method":"m","params":["a"]})");
    limits bounds;
    bounds.id_bytes = 1;
    message_reader strict(bounds);
    for (std::size_t i = 1; i != 4; ++i) {
        BOOST_TEST(built(reader.read(text)) == R"(["a"])");
        BOOST_TEST(ahead.asked.size() == i);
        reader.release_memory();
        reader.release_memory();
        BOOST_TEST(strict.read(text).problem.limit == 1u);
        strict.release_memory();
    }
}

BOOST_AUTO_TEST_CASE(a_value_that_nobody_asked_for_goes_with_the_memory)
{
    const exact_text text(R"({"jsonrpc":"2.0","id":1,"method":"m","params":["a"]})");
    reader.read(text);
    reader.release_memory();
    BOOST_TEST(reader.find_param("a").empty());
    BOOST_TEST(reader.elements().empty());
    BOOST_TEST(built(reader.read(text)) == R"(["a"])");
}

BOOST_AUTO_TEST_CASE(what_was_built_for_one_message_is_not_given_for_another)
{
    const exact_text first(R"({"jsonrpc":"2.0","id":1,"method":"m","params":["first"]})");
    const exact_text second(R"({"jsonrpc":"2.0","id":2,"params":["second"],"method":"m"})");
    reader.read(first);
    BOOST_TEST(built(reader.read(second)) == R"(["second"])");
    reader.read(first);
    const exact_text none(R"({"jsonrpc":"2.0","id":2,"method":"m"})");
    BOOST_TEST(built(reader.read(none)) == "null");
}

BOOST_AUTO_TEST_CASE(a_number_that_no_double_can_hold_leaves_the_message_valid)
{
    const exact_text text(R"({"jsonrpc":"2.0","method":"m","params":[1e400,2],"id":1})");
    const message& read = reader.read(text);
    BOOST_TEST(read.type == kind::request);
    BOOST_TEST(read.id == "1");
    BOOST_TEST(read.params.text() == "[1e400,2]");
    BOOST_CHECK_THROW(read.params.to_value(), rpc_error);
}

BOOST_AUTO_TEST_CASE(names_that_collide_leave_the_message_valid)
{
    const std::string object = partyline::test::object_of(partyline::test::colliding_names(128, 0x10, 128));
    const exact_text text(R"({"jsonrpc":"2.0","method":"m","params":)" + object + R"(,"id":1})");
    const message& read = reader.read(text);
    BOOST_TEST(read.type == kind::request);
    BOOST_TEST(read.id == "1");
    BOOST_TEST(read.params.text() == object);
    BOOST_CHECK_THROW(read.params.to_value(), rpc_error);
}

BOOST_AUTO_TEST_CASE(every_text_is_judged_as_it_is_without_foresight)
{
    const std::string deep = std::string(200, '[') + std::string(200, ']');
    const std::vector<std::string> texts = {
        R"({"jsonrpc":"2.0","method":"m","params":[1,],"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":{"a":1,"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":["\x"],"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":[1e400,"\x"],"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":[1],"params":[2],"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":7,"id":1})",
        R"({"jsonrpc":"1.0","method":"m","params":[7],"id":1})",
        R"({"jsonrpc":"2.0","method":7,"params":[7],"id":1})",
        R"({"jsonrpc":"2.0","method":"m","params":)" + deep + R"(,"id":1})",
        R"({"jsonrpc":"2.0","methods":"m","param":[1],"jsonrpc2":1,"i":1,"id":3,"method":"m"})",
        R"({"jsonrp":"2.0","id" :3,"method" :"m","params" : [1]})",
    };
    message_reader plain{limits()};
    for (const std::string& t : texts)
        BOOST_TEST_CONTEXT(t.substr(0, 60))
        {
            const exact_text text(t);
            const message& expected = plain.read(text);
            const message& read = reader.read(text);
            BOOST_TEST(read.type == expected.type);
            BOOST_TEST(read.id == expected.id);
            BOOST_TEST(read.params.text() == expected.params.text());
            BOOST_TEST(read.problem.what == expected.problem.what);
            BOOST_TEST(read.problem.reason == expected.problem.reason);
            BOOST_TEST(read.problem.offset == expected.problem.offset);
        }
}

BOOST_AUTO_TEST_SUITE_END()
