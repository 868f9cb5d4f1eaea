#include "bench/driver/request_set.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <set>

using namespace bench;
namespace json = boost::json;

namespace {

request_set make(const request_recipe& recipe, std::uint64_t seed = 1)
{
    random_source random(seed);
    return request_set(recipe, random);
}

} // namespace

BOOST_AUTO_TEST_SUITE(request_sets)

BOOST_AUTO_TEST_CASE(each_request_is_json_with_an_id_and_a_payload_of_its_own)
{
    const request_set set = make({.method = "echo", .fill = text_of(16), .count = 500});
    std::set<std::uint64_t> ids;
    std::set<std::string> texts;
    BOOST_TEST_REQUIRE(set.messages() == 500u);
    for (std::size_t i = 0; i < set.messages(); ++i) {
        const json::object request = json::parse(set.body(i)).as_object();
        BOOST_TEST(request.at("jsonrpc") == "2.0");
        BOOST_TEST(request.at("method") == "echo");
        BOOST_TEST(request.at("params").at("text").as_string().size() == 16u);
        BOOST_TEST(json::serialize(request.at("params")) == set.result(i));
        BOOST_TEST(request.at("id").to_number<std::uint64_t>() == set.ids()[i]);
        ids.insert(set.ids()[i]);
        texts.insert(std::string(set.result(i)));
    }
    BOOST_TEST(ids.size() == 500u);
    BOOST_TEST(texts.size() == 500u);
}

BOOST_AUTO_TEST_CASE(a_seed_makes_the_same_again_and_another_something_else)
{
    const request_recipe recipe{.method = "echo", .fill = text_of(16), .count = 10};
    BOOST_TEST(make(recipe, 5).text() == make(recipe, 5).text());
    BOOST_TEST(make(recipe, 5).text() != make(recipe, 6).text());
}

BOOST_AUTO_TEST_CASE(ids_lead_back_to_their_request_and_others_to_none)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        random_source random(seed);
        const request_ids ids(random, 100);
        std::set<std::uint64_t> known;
        for (std::size_t i = 0; i < ids.count(); ++i) {
            BOOST_TEST((ids.index_of(ids[i]) == i));
            known.insert(ids[i]);
        }
        for (std::uint64_t id = 0; id < 3000; ++id)
            BOOST_TEST((ids.index_of(id).has_value() == known.contains(id)));
        BOOST_TEST(!ids.index_of(~std::uint64_t(0)).has_value());
    }
}

BOOST_AUTO_TEST_CASE(batches_are_arrays_and_the_last_one_holds_the_rest)
{
    const request_set set = make({.method = "echo", .fill = text_of(16), .count = 25, .batch = 10});
    BOOST_TEST_REQUIRE(set.messages() == 3u);
    BOOST_TEST(json::parse(set.body(0)).as_array().size() == 10u);
    BOOST_TEST(json::parse(set.body(2)).as_array().size() == 5u);
    BOOST_TEST(json::serialize(json::parse(set.body(2)).at(4).at("params")) == set.result(24));
}

BOOST_AUTO_TEST_CASE(results_are_what_the_method_has_to_come_to_unless_it_echoes)
{
    request_recipe recipe{.method = "add", .fill = two_numbers()};
    const request_set sum = make(recipe);
    const json::value params = json::parse(sum.body(0)).at("params");
    const auto number = [&params](const char* name) { return params.at(name).to_number<std::int64_t>(); };
    BOOST_TEST(sum.result(0) == std::to_string(number("a") + number("b")));
    recipe.echoes = true;
    const request_set echo = make(recipe);
    BOOST_TEST(echo.result(0) == json::serialize(params));
}

BOOST_AUTO_TEST_CASE(every_content_is_an_object_and_its_result_json)
{
    for (const content& fill :
         {text_of(0), text_of(100000), two_numbers(), description(), fixed("{}", "true"), progress_of(3),
          notifications_of(3), work_of(10), delay_of(std::chrono::milliseconds(20))}) {
        const request_set set = make({.method = "m", .fill = fill, .count = 3});
        for (std::size_t i = 0; i < set.messages(); ++i) {
            BOOST_TEST(json::parse(set.body(i)).at("params").is_object());
            BOOST_CHECK_NO_THROW(json::parse(set.result(i)));
        }
    }
}

BOOST_AUTO_TEST_CASE(params_are_counted_without_what_is_around_them)
{
    const request_set set = make({.method = "echo", .fill = text_of(16), .count = 7});
    BOOST_TEST(set.params_bytes() == std::string_view(R"({"text":"0123456789abcdef"})").size());
}

BOOST_AUTO_TEST_CASE(all_of_them_are_a_message_a_line)
{
    const request_set set = make({.method = "echo", .fill = text_of(16), .count = 3});
    BOOST_TEST(set.text() ==
               std::string(set.body(0)) + '\n' + std::string(set.body(1)) + '\n' + std::string(set.body(2)) + '\n');
}

BOOST_AUTO_TEST_CASE(a_cancel_names_its_request)
{
    BOOST_TEST(cancel_of(17) == R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":17}})");
}

BOOST_AUTO_TEST_SUITE_END()
