#include "support/name_families.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <functional>
#include <iterator>
#include <numeric>

namespace json = boost::json;
using namespace partyline::test;
using partyline::json_view;
using partyline::rpc_error;

namespace {

json::value built(const std::string& text)
{
    return json_view::checked(text).to_value();
}

bool is_refused(const std::string& text)
{
    try {
        built(text);
        return false;
    } catch (const rpc_error&) {
        return true;
    }
}

template <class... Arguments>
std::string format(const char* how, Arguments... arguments)
{
    char text[80];
    std::snprintf(text, sizeof text, how, arguments...);
    return text;
}

using family = std::function<std::string(unsigned)>;

const std::vector<std::pair<const char*, family>> ordinary = {
    {"decimal", [](unsigned i) { return std::to_string(i); }},
    {"padded", [](unsigned i) { return format("%08u", i); }},
    {"hexadecimal", [](unsigned i) { return format("%x", i); }},
    {"steps", [](unsigned i) { return std::to_string(std::uint64_t(i) * 256); }},
    {"prefix", [](unsigned i) { return "key_" + std::to_string(i); }},
    {"suffix", [](unsigned i) { return std::to_string(i) + "_suffix.txt"; }},
    {"path", [](unsigned i) { return format("/usr/lib/%u/%u/x.cpp", i % 37, i / 37); }},
    {"uri", [](unsigned i) { return format("file:///home/me/src/%u/file%u.ts", i / 100, i % 100); }},
    {"uuid",
     [](unsigned i) {
         return format("%08x-1b2c-4d5e-8f90-%012llx", i * 2654435761u, i * 11400714819323198485ull >> 16);
     }},
    {"time",
     [](unsigned i) {
         return format("2024-01-%02uT%02u:%02u:%02uZ", i / 86400 + 1, i / 3600 % 24, i / 60 % 60, i % 60);
     }},
    {"coordinates", [](unsigned i) { return format("%u,%u", i % 64, i / 64); }},
    {"binary",
     [](unsigned i) {
         std::string s;
         for (int j = 0; j < 18; ++j)
             s += (i >> j & 1) ? '1' : '0';
         return s;
     }},
    {"long uri",
     [](unsigned i) {
         return format("file:///home/me/%.*s/file%u.ts", int(i % 40),
                       "a_directory/with_others/in_it/and_so_on_for_ever", i);
     }},
    {"escaped", [](unsigned i) { return "\\u00e4\\n" + std::to_string(i); }},
    {"umlaut", [](unsigned i) { return "\xc3\xa4" + std::to_string(i) + "\xe2\x82\xac"; }},
    {"equal", [](unsigned) { return std::string("again"); }},
    {"few", [](unsigned i) { return std::to_string(i % 50); }},
    {"every one twice", [](unsigned i) { return std::to_string(i / 2); }},
};

std::vector<std::string> names_of(const family& from, std::size_t count)
{
    std::vector<std::string> names;
    for (unsigned i = 0; i != count; ++i)
        names.push_back(from(i));
    return names;
}

} // namespace

BOOST_AUTO_TEST_SUITE(name_watch)

BOOST_AUTO_TEST_CASE(names_that_collide_under_any_salt_are_refused)
{
    for (const std::size_t size : {128, 512, 1024})
        for (unsigned salt = 0; salt < 256; salt += 16)
            BOOST_TEST(is_refused(object_of(colliding_names(size, salt, size))), size << " members, salt " << salt);
}

// With MurmurHash64A such names are not noticed, see name_watch.hpp.
// rule: security.time.linear
BOOST_AUTO_TEST_CASE(names_of_many_lengths_that_collide_at_one_address_are_refused,
                     *boost::unit_test::enable_if<!hashes_by_murmur>())
{
    for (const std::uint64_t address : {0x7f1234567560, 0x7fe987650010}) {
        BOOST_TEST(is_refused(object_of(names_for_one_table(4096, address, 4096, 512))), address);
        BOOST_TEST(is_refused(object_of(names_for_one_table(16'384, address, 16'384, 128))), address);
    }
}

BOOST_AUTO_TEST_CASE(names_that_collide_among_others_are_refused)
{
    constexpr std::size_t size = 4096;
    std::vector<std::string> names = colliding_names(size / 2, 0x10, size);
    std::mt19937_64 random(2);
    while (names.size() != size)
        names.insert(names.begin() + static_cast<std::ptrdiff_t>(random() % names.size()), random_name(random));
    BOOST_TEST(is_refused(object_of(names)));
}

BOOST_AUTO_TEST_CASE(one_name_again_and_again_at_the_end_of_a_chain_is_refused)
{
    constexpr std::size_t size = 8192;
    std::vector<std::string> names = colliding_names(2048, 0x10, size);
    names.resize(size, names.front());
    BOOST_TEST(is_refused(object_of(names)));
}

BOOST_AUTO_TEST_CASE(escapes_hide_no_collisions)
{
    std::vector<std::string> names = colliding_names(1024, 0x10, 1024);
    for (std::string& name : names)
        name = format("\\u%04x", name[0]) + name.substr(1);
    BOOST_TEST(is_refused(object_of(names)));
}

BOOST_AUTO_TEST_CASE(objects_within_others_are_watched)
{
    const std::string bad = object_of(colliding_names(512, 0x10, 512));
    const std::string good = object_of(names_of(ordinary[0].second, 300));
    const std::string around = good.substr(0, good.size() - 1);
    BOOST_TEST(is_refused('[' + good + ',' + around + ",\"x\":{\"y\":[" + bad + "]},\"z\":" + good + "}]"));
    BOOST_TEST(!is_refused('[' + good + ',' + around + ",\"x\":{\"y\":[" + good + "]},\"z\":" + good + "}]"));
}

BOOST_AUTO_TEST_CASE(an_outer_object_is_watched_around_inner_ones)
{
    std::string text = "{";
    for (const std::string& name : colliding_names(512, 0x10, 512))
        text += '"' + name + "\":" + object_of(names_of(ordinary[4].second, 40)) + ',';
    text.back() = '}';
    BOOST_TEST(is_refused(text));
}

BOOST_AUTO_TEST_CASE(the_refusal_says_what_it_is_about)
{
    const auto is_told = [](const rpc_error& thrown) {
        const json::object& data = thrown.error().data->as_object();
        return thrown.error().code == partyline::error_codes::invalid_params &&
               data.at("expected") == "an object whose names do not collide" &&
               data.at("got") == "1024 members whose names do";
    };
    BOOST_CHECK_EXCEPTION(built(object_of(colliding_names(1024, 0x10, 1024))), rpc_error, is_told);
}

BOOST_AUTO_TEST_CASE(ordinary_names_are_never_refused)
{
    const std::vector<std::size_t> sizes = {81, 87, 100, 128, 142, 200, 256, 333, 500, 512, 1000, 1024, 4096, 20'000};
    for (const auto& [what, from] : ordinary)
        for (const std::size_t size : sizes)
            BOOST_TEST(!is_refused(object_of(names_of(from, size))), size << " names: " << what);
}

BOOST_AUTO_TEST_CASE(random_names_are_never_refused)
{
    std::mt19937_64 random(4);
    for (std::size_t size = 64; size < 10'000; size += size / 20)
        BOOST_TEST(!is_refused(object_of(names_of([&](unsigned) { return random_name(random); }, size))), size);
}

BOOST_AUTO_TEST_CASE(random_names_of_many_lengths_are_never_refused)
{
    std::mt19937_64 random(6);
    for (std::size_t size = 64; size < 10'000; size += size / 10) {
        const auto any_length = [&](unsigned i) { return random_name(random, 5 + i % (3 + size % 90)); };
        BOOST_TEST(!is_refused(object_of(names_of(any_length, size))), size);
    }
}

BOOST_AUTO_TEST_CASE(small_objects_are_never_refused)
{
    BOOST_TEST(!is_refused(object_of(colliding_names(64, 0x10, 64))));
}

BOOST_AUTO_TEST_CASE(a_value_is_built_after_one_that_was_refused)
{
    const std::string bad = object_of(colliding_names(512, 0x10, 512));
    BOOST_TEST(is_refused(bad));
    const json::value good = built(object_of(names_of(ordinary[0].second, 500)));
    BOOST_TEST(good.as_object().size() == 500u);
    BOOST_TEST(good.at("499") == 499);
}

BOOST_AUTO_TEST_SUITE_END()
