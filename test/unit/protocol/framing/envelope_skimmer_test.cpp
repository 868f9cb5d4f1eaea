#include "protocol/framing/envelope_skimmer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using partyline::envelope_skimmer;

BOOST_AUTO_TEST_SUITE(skimmer_)

BOOST_AUTO_TEST_CASE(the_top_level_id_and_the_likeness_of_a_response_are_found_however_the_text_is_cut)
{
    struct row {
        std::string text, id;
        bool is_response;
        std::size_t depth;
    };
    const std::vector<row> rows = {
        {R"({"jsonrpc":"2.0","method":"m","params":{"id":9,"x":[{}]},"id":1})", "1", false, 4},
        {R"( { "id" : "a,}\"b" , "result" : [ { "method" : 1 } ] } )", R"("a,}\"b")", true, 3},
        {R"({"error":{"id":3,"x":"]}{["},"id":-1.5e3})", "-1.5e3", true, 2},
        {R"({"i\u0064":null,"\u0072esult":1})", "null", true, 1},
        {R"({"i\u0064":null,"\u0072esult":1,"metho\u0064":1})", "null", false, 1},
        {R"({"id":1,"id":1})", "", false, 1},
        {R"({"id":true,"result":1})", "", true, 1},
        {R"({"id":{"id":2},"x":1})", "", false, 2},
        {R"({"id":[1]})", "", false, 2},
        {R"({"id":1 ,"x":"\\"})", "1", false, 1},
        {R"({"ID":1,"id2":2,"i":3,"i\nd":4,"d\u0130":5,"identification":6})", "", false, 1},
        {R"({"a":"id","b":"\"id\":5"})", "", false, 1},
        {R"([{"id":1,"result":2},"id",3])", "1", true, 2},
        {R"([ {"id":"a","method":"m"} , {"x":[],"id":2,"error":{"id":3}} ,{"id":4,"result":1}])", "2", false, 3},
        {R"([{"id":1,"id":1,"result":2},{"id":true,"result":2},{"result":[[{"id":7},{"id":8}]],"id":5}])", "5", true,
         5},
        {R"([[{"id":1,"result":2}],[1,"id",{"id":2,"result":1}],{}])", "", false, 3},
        {R"([{"id":1},{"id":2,"params":{"result":1}},[],{"method":"result"}])", "", false, 3},
        {R"([{"id":1,"x":1},{"id":2,"result":"cut o)", "2", true, 2},
        {R"([{"id":1,"result":1}],{"id":2})", "1", true, 2},
        {R"([{"result":1,"id":23)", "", true, 2},
        {R"(["a","id":1])", "", false, 1},
        {R"("id")", "", false, 0},
        {"", "", false, 0},
        {"{}", "", false, 1},
        {R"({"id":12)", "", false, 1},
        {R"({"id":"12)", "", false, 1},
        {R"({"id":1x})", "", false, 1},
        {R"({"id":nil})", "", false, 1},
        {"{\"id\":\"\xFF\"}", "", false, 1},
        {R"({"id":"\ud8"})", "", false, 1},
        {R"({"id":"1234567890"})", R"("1234567890")", false, 1},
        {R"({"id":"12345678901"})", "", false, 1},
    };
    envelope_skimmer skim(12);
    for (const row& r : rows)
        BOOST_TEST_CONTEXT(r.text)
    for (std::size_t piece = 1; piece <= r.text.size() + 1; ++piece) {
        skim.reset();
        for (std::size_t at = 0; at < r.text.size(); at += piece)
            skim.feed(std::string_view(r.text).substr(at, piece));
        skim.finish();
        BOOST_TEST(skim.id() == r.id);
        BOOST_TEST(skim.looks_like_response() == r.is_response);
        BOOST_TEST(skim.depth() == r.depth);
        BOOST_TEST(skim.size() == r.text.size());
    }
}

BOOST_AUTO_TEST_CASE(only_white_space_is_blank)
{
    envelope_skimmer skim(12);
    skim.reset();
    skim.feed(" \t\r");
    BOOST_TEST(skim.is_blank());
    skim.feed("x");
    BOOST_TEST(!skim.is_blank());
}

BOOST_AUTO_TEST_SUITE_END()
