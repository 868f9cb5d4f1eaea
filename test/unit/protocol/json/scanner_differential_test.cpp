#include "protocol/json/scanner.hpp"
#include "protocol/json/surrogates.hpp"
#include "unit/protocol/exact_text.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>

#include <boost/json/parser.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace json = boost::json;
using namespace std::string_literals;
using partyline::scanner;
using partyline::test::exact_text;

namespace {

const std::vector<std::string> seeds = {
    R"({"jsonrpc":"2.0","id":123,"method":"echo","params":{"message":"0123456789abcdef"}})",
    R"([1,-2,3.25,1e10,-0.5E-3,0,18446744073709551615,9007199254740993,true,false,null])",
    R"({"a\"b":"\u00e9\uD834\uDD1E\n","c":["x",{"d":{}},[],""]})",
    "[ \"\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E\" , {\"k\" : \t1 } ]",
    R"("a plain string that is longer than a block of sixteen")",
};

class mutator {
public:
    std::string next()
    {
        std::string text = seeds[pick(seeds.size())];
        for (std::size_t n = pick(4); n > 0 && !text.empty(); --n)
            mutate(text);
        return text;
    }

private:
    std::size_t pick(std::size_t count) { return random_() % count; }

    void mutate(std::string& text)
    {
        static const std::string spice = "\"\\{}[],:0159-+.eEuntf \t\n\x80\xBF\xC3\xED\xF4\xFF\x01"s + '\0';
        const std::size_t at = pick(text.size());
        switch (pick(5)) {
        case 0: text[at] = spice[pick(spice.size())]; break;
        case 1: text.insert(at, 1, spice[pick(spice.size())]); break;
        case 2: text.erase(at, 1 + pick(3)); break;
        case 3: text.insert(at, text.substr(pick(text.size()), pick(12))); break;
        case 4: text[at] = static_cast<char>(pick(256)); break;
        }
    }

    std::mt19937 random_{20}; // as every run has it
};

bool is_valid(std::string_view text)
{
    scanner scan;
    scan.start(text);
    const char* const p = scan.skip_value(scanner::skip_space(text.data()), 32);
    return p && scan.at_end(p);
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Boost.JSON 1.81 reads doubles only to within a few units of the last place.
bool is_same(const json::value& a, const json::value& b)
{
    if (a.is_double() && b.is_double())
        return std::abs(a.get_double() - b.get_double()) <= 1e-14 * std::abs(a.get_double());
    if (a.is_array() && b.is_array())
        return std::ranges::equal(a.get_array(), b.get_array(), is_same);
    if (!a.is_object() || !b.is_object() || a.get_object().size() != b.get_object().size())
        return a == b;
    for (const auto& member : a.get_object()) {
        const json::value* const other = b.get_object().if_contains(member.key());
        if (!other || !is_same(member.value(), *other))
            return false;
    }
    return true;
}

bool has_infinity(const json::value& value)
{
    if (value.is_double())
        return std::isinf(value.get_double());
    if (value.is_array())
        return std::ranges::any_of(value.get_array(), has_infinity);
    return value.is_object() && std::ranges::any_of(value.get_object(), [](const json::key_value_pair& member) {
               return has_infinity(member.value());
           });
}

} // namespace

BOOST_AUTO_TEST_SUITE(scanner_differential)

BOOST_AUTO_TEST_CASE(it_takes_what_boost_json_takes_and_builds_the_same)
{
    mutator mutants;
    json::parser parser;
    std::size_t valid = 0;
    for (int i = 0; i < 20'000; ++i) {
        const exact_text text(mutants.next());
        std::string whole(text.view()); // Boost.JSON has no halves of surrogate pairs
        partyline::replace_lone_surrogates(whole);
        boost::system::error_code error;
        parser.reset();
        parser.write(whole.data(), whole.size(), error);
        if (error == json::error::exponent_overflow) // valid JSON nevertheless
            continue;
        BOOST_TEST_REQUIRE(is_valid(text) == !error, "text: " << text.view());
        if (error)
            continue;
        ++valid;
        const json::value expected = parser.release();
        if (has_infinity(expected)) { // what Boost.JSON makes of 1e400
            BOOST_CHECK_THROW(partyline::json_view::checked(trimmed(text)).to_value(), partyline::rpc_error);
            continue;
        }
        if (whole != text.view())
            BOOST_CHECK_THROW(partyline::json_view::checked(trimmed(text)).to_value(), partyline::rpc_error);
        const json::value built = partyline::json_view::checked(trimmed(whole)).to_value();
        BOOST_TEST_REQUIRE(is_same(built, expected), "text: " << text.view());
    }
    BOOST_TEST(valid > 4'000u);
    BOOST_TEST(valid < 18'000u);
}

BOOST_AUTO_TEST_SUITE_END()
