// Which results of a server are kept, for which requests and for how long. Time is the test's.

#include "mcp/client/result_cache.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

using namespace std::chrono_literals;
using partyline::json_text;
using partyline::json_view;
using partyline::mcp::result_cache;

namespace {

constexpr std::string_view list_tools = "tools/list";
constexpr std::string_view read_resource = "resources/read";

json_text good_for(std::string_view time, std::string_view what = "{}")
{
    return json_text(json_view::checked(R"({"ttlMs":)" + std::string(time) + R"(,"is":)" + std::string(what) + '}'));
}

std::string uri_member(std::string_view uri)
{
    return R"("uri":")" + std::string(uri) + '"';
}

std::string cursor_member(std::string_view cursor)
{
    return R"("cursor":")" + std::string(cursor) + '"';
}

struct cache_fixture {
    result_cache kept{std::size_t(1) << 20};
    result_cache::clock::time_point now{};

    void get(std::string_view method, const std::string& members, const json_text& result)
    {
        const std::uint64_t begun = kept.begin(method, members);
        kept.keep(method, members, kept.on_reply(method, members, begun), result, now);
    }
    bool has(std::string_view method, const std::string& members)
    {
        return kept.find(method, members, now).has_value();
    }
    void read(std::string_view uri) { get(read_resource, uri_member(uri), good_for("1000")); }
    bool has_read(std::string_view uri) { return has(read_resource, uri_member(uri)); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_result_cache, cache_fixture)

// rule: mcp.cache.fresh
BOOST_AUTO_TEST_CASE(a_result_is_good_for_as_long_as_the_server_says)
{
    get(list_tools, "", good_for("1000", "1"));
    now += 999ms;
    BOOST_TEST(kept.find(list_tools, "", now)->text() == R"({"ttlMs":1000,"is":1})");
    now += 1ms;
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(kept.bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(a_time_may_be_written_in_any_way_and_is_a_day_at_most)
{
    for (const char* const written : {"1000.0", "1e3", "10000E-1"}) {
        BOOST_TEST_CONTEXT(written)
        {
            get(list_tools, "", good_for(written));
            BOOST_TEST(kept.find(list_tools, "", now + 999ms).has_value());
            BOOST_TEST(!kept.find(list_tools, "", now + 1s).has_value());
        }
    }
    for (const char* const written : {"86400000", "86400001", "18446744073709551615"}) {
        BOOST_TEST_CONTEXT(written)
        {
            get(list_tools, "", good_for(written));
            BOOST_TEST(kept.find(list_tools, "", now + 24h - 1ms).has_value());
            BOOST_TEST(!kept.find(list_tools, "", now + 24h).has_value());
        }
    }
}

BOOST_AUTO_TEST_CASE(a_time_that_is_none_keeps_nothing)
{
    for (const char* const written : {"0", "0.0", "-1", "-0", "1.5", "1e300", "1e-300", "18446744073709551616", "null",
                                      "\"1000\"", "true", "[1000]", "{\"ttlMs\":1000}"}) {
        get(list_tools, "", good_for(written));
        BOOST_TEST(!has(list_tools, ""), written);
    }
    get(list_tools, "", json_text(json_view::checked(R"({"tools":[],"_meta":{"ttlMs":1000}})")));
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(kept.bytes() == 0u);
}

// rule: mcp.cache.key
BOOST_AUTO_TEST_CASE(a_request_is_answered_by_its_own_result_alone)
{
    get(list_tools, "", good_for("1000", "1"));
    get(list_tools, cursor_member("a"), good_for("1000", "2"));
    get("prompts/list", "", good_for("1000", "3"));
    read("a:b");
    BOOST_TEST(kept.find(list_tools, "", now)->text().ends_with("1}"));
    BOOST_TEST(kept.find(list_tools, cursor_member("a"), now)->text().ends_with("2}"));
    BOOST_TEST(kept.find("prompts/list", "", now)->text().ends_with("3}"));
    BOOST_TEST(!has("prompts/list", cursor_member("a")));
    BOOST_TEST(!has("resources/list", ""));
    BOOST_TEST(!has_read("a:c"));
    BOOST_TEST(!has("tools/call", uri_member("a:b")));
}

BOOST_AUTO_TEST_CASE(results_of_other_methods_are_not_kept)
{
    for (const char* const method : {"tools/call", "prompts/get", "completion/complete", "server/discover", "x/list"}) {
        get(method, "", good_for("1000"));
        BOOST_TEST(!has(method, ""), method);
    }
}

BOOST_AUTO_TEST_CASE(a_newer_result_takes_the_place_of_the_former)
{
    get(read_resource, uri_member("a:b"), good_for("1000", "\"first\""));
    const std::size_t bytes = kept.bytes();
    get(read_resource, uri_member("a:b"), good_for("1000", "\"other\""));
    BOOST_TEST(kept.bytes() == bytes);
    BOOST_TEST(kept.find(read_resource, uri_member("a:b"), now)->text().ends_with("\"other\"}"));
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_goes_first)
{
    result_cache small(4 * (result_cache::bytes_of_entry + 100));
    const auto get_one = [&](const std::string& uri) {
        small.keep(read_resource, uri_member(uri), small.begin(read_resource, uri_member(uri)), good_for("1000"), now);
    };
    for (const char* const uri : {"a:1", "a:2", "a:3", "a:4"})
        get_one(uri);
    BOOST_TEST(small.find(read_resource, uri_member("a:1"), now).has_value());
    get_one("a:5");
    BOOST_TEST(!small.find(read_resource, uri_member("a:2"), now).has_value());
    for (const char* const uri : {"a:1", "a:3", "a:4", "a:5"})
        BOOST_TEST(small.find(read_resource, uri_member(uri), now).has_value(), uri);
}

// rule: security.memory.client
BOOST_AUTO_TEST_CASE(so_many_bytes_are_kept_and_no_more)
{
    result_cache small(std::size_t(64) << 10);
    for (int i = 0; i != 10'000; ++i) {
        const std::string uri = uri_member("a:" + std::to_string(i));
        small.keep(read_resource, uri, small.begin(read_resource, uri), good_for("1000"), now);
        BOOST_TEST_REQUIRE(small.bytes() <= std::size_t(64) << 10);
    }
    BOOST_TEST(small.bytes() > std::size_t(63) << 10);
    const std::string wide = '"' + std::string(std::size_t(16) << 10, 'x') + '"';
    small.keep(read_resource, uri_member("wide"), small.begin(read_resource, uri_member("wide")),
               good_for("1000", wide), now);
    BOOST_TEST(!small.find(read_resource, uri_member("wide"), now).has_value());
    BOOST_TEST(small.find(read_resource, uri_member("a:9999"), now).has_value());
}

BOOST_AUTO_TEST_CASE(a_cache_of_no_bytes_keeps_nothing)
{
    result_cache none(0);
    none.keep(list_tools, "", none.begin(list_tools, ""), good_for("1000"), now);
    BOOST_TEST(!none.find(list_tools, "", now).has_value());
}

BOOST_AUTO_TEST_CASE(a_change_drops_what_it_is_about)
{
    const auto fill = [this] {
        for (const char* const method : {"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
            get(method, "", good_for("1000"));
        read("a:b");
    };
    fill();
    kept.drop(list_tools);
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(has("prompts/list", ""));
    fill();
    kept.drop_resources();
    BOOST_TEST(has(list_tools, ""));
    BOOST_TEST(has("prompts/list", ""));
    BOOST_TEST(!has("resources/list", ""));
    BOOST_TEST(!has("resources/templates/list", ""));
    BOOST_TEST(!has_read("a:b"));
    fill();
    kept.clear();
    BOOST_TEST(kept.bytes() == 0u);
    BOOST_TEST(!has(list_tools, ""));
}

BOOST_AUTO_TEST_CASE(a_change_of_a_resource_drops_that_those_below_it_and_those_above_it)
{
    for (const char* const uri : {"a:/b", "a:/b/c", "a:/b/c/d", "a:/b/c?d", "a:/b/c#d", "a:/bc", "a:/b/cd", "e:/"})
        read(uri);
    get("resources/list", "", good_for("1000"));
    kept.drop_resource("a:/b/c");
    for (const char* const uri : {"a:/b", "a:/b/c", "a:/b/c/d", "a:/b/c?d", "a:/b/c#d"})
        BOOST_TEST(!has_read(uri), uri);
    for (const char* const uri : {"a:/bc", "a:/b/cd", "e:/"})
        BOOST_TEST(has_read(uri), uri);
    BOOST_TEST(has("resources/list", ""));
    kept.drop_resource("e:/f");
    BOOST_TEST(!has_read("e:/"));
}

BOOST_AUTO_TEST_CASE(a_resource_is_the_same_however_it_is_written)
{
    get(read_resource, R"("uri":"a:\u0062%63")", good_for("1000"));
    BOOST_TEST(has(read_resource, R"("uri":"a:\u0062%63")"));
    kept.drop_resource("a:%62c");
    BOOST_TEST(!has(read_resource, R"("uri":"a:\u0062%63")"));
    get(read_resource, R"("uri":7)", good_for("1000"));
    get(read_resource, R"("name":"a:b")", good_for("1000"));
    BOOST_TEST(kept.bytes() == 0u); // of which nobody knows when it changes
}

BOOST_AUTO_TEST_CASE(what_was_under_way_when_a_change_came_is_not_kept)
{
    const std::uint64_t listing = kept.begin(list_tools, "");
    const std::uint64_t reading = kept.begin(read_resource, uri_member("a:b"));
    kept.drop(list_tools);
    kept.drop_resource("a:b");
    kept.keep(list_tools, "", listing, good_for("1000"), now);
    kept.keep(read_resource, uri_member("a:b"), reading, good_for("1000"), now);
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(!has_read("a:b"));
    get(list_tools, "", good_for("1000"));
    read("a:b");
    BOOST_TEST(has(list_tools, ""));
    BOOST_TEST(has_read("a:b"));
}

BOOST_AUTO_TEST_CASE(a_list_that_begins_anew_has_none_of_its_former_pages)
{
    get(list_tools, "", good_for("1000"));
    get(list_tools, cursor_member("a"), good_for("9000"));
    get("prompts/list", cursor_member("a"), good_for("9000"));
    const std::uint64_t late = kept.begin(list_tools, cursor_member("b"));
    now += 1s;
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(has(list_tools, cursor_member("a")));
    get(list_tools, "", good_for("0"));
    BOOST_TEST(!has(list_tools, cursor_member("a")));
    kept.keep(list_tools, cursor_member("b"), late, good_for("1000"), now);
    BOOST_TEST(!has(list_tools, cursor_member("b")));
    BOOST_TEST(has("prompts/list", cursor_member("a")));
}

BOOST_AUTO_TEST_CASE(a_first_page_drops_the_pages_that_came_since_it_was_asked_for)
{
    const std::uint64_t outdated = kept.begin(list_tools, "");
    const std::uint64_t first = kept.begin(list_tools, "");
    get(list_tools, cursor_member("a"), good_for("1000"));
    const std::uint64_t late = kept.begin(list_tools, cursor_member("b"));
    kept.keep(list_tools, "", kept.on_reply(list_tools, "", first), good_for("1000"), now);
    BOOST_TEST(has(list_tools, ""));
    BOOST_TEST(!has(list_tools, cursor_member("a")));
    kept.keep(list_tools, cursor_member("b"), kept.on_reply(list_tools, cursor_member("b"), late), good_for("1000"),
              now);
    BOOST_TEST(!has(list_tools, cursor_member("b")));
    get(list_tools, cursor_member("a"), good_for("1000"));
    BOOST_TEST(has(list_tools, ""));
    kept.keep(list_tools, "", kept.on_reply(list_tools, "", outdated), good_for("1000"), now);
    BOOST_TEST(!has(list_tools, ""));
    BOOST_TEST(!has(list_tools, cursor_member("a")));
}

BOOST_AUTO_TEST_CASE(a_request_with_answers_to_questions_is_not_kept)
{
    for (const char* const more : {R"(,"requestState":"s")", R"(,"inputResponses":{})"}) {
        get(read_resource, uri_member("a:b") + more, good_for("1000"));
        BOOST_TEST(!has(read_resource, uri_member("a:b") + more), more);
    }
    get(read_resource, uri_member("requestState"), good_for("1000"));
    BOOST_TEST(has_read("requestState"));
}

// A page that has expired is asked for by its cursor.
BOOST_AUTO_TEST_CASE(each_page_has_a_time_of_its_own)
{
    get(list_tools, "", good_for("9000"));
    get(list_tools, cursor_member("a"), good_for("1000"));
    now += 1s;
    BOOST_TEST(has(list_tools, ""));
    BOOST_TEST(!has(list_tools, cursor_member("a")));
    get(list_tools, cursor_member("a"), good_for("1000"));
    BOOST_TEST(has(list_tools, ""));
    BOOST_TEST(has(list_tools, cursor_member("a")));
}

BOOST_AUTO_TEST_SUITE_END()
