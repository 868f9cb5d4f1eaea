#include "mcp/state/request_state.hpp"
#include "protocol/json/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ostream>
#include <set>
#include <string>
#include <variant>

namespace json = boost::json;
using namespace partyline::mcp;
using namespace std::chrono_literals;
using partyline::decode_base64url;
using partyline::encode_base64url;
using partyline::json_view;

namespace {

const state_sealer::time_point now = state_sealer::time_point(1'800'000'000s);
const state_keys keys({std::string(32, 'k')});

state_binding bound()
{
    return {"tools/call", "clean", json_view::checked(R"({"a":1})"), "somebody"};
}

std::string sealed_memo()
{
    return state_sealer(keys).seal({3, {{"sure", {{"q", "AbC"}, {"a", true}}}}, json::value(7)}, bound(), now);
}

// The fault in words; empty for none.
std::string fault_of(std::string_view sealed, const state_binding& binding = bound(), state_sealer::time_point at = now)
{
    const auto result = state_sealer(keys).open(sealed, binding, at);
    const auto* const fault = std::get_if<state_fault>(&result);
    return fault ? std::string(words(*fault)) : "";
}

// Signed by the right key, whatever it says.
std::string signed_payload(const std::string& payload)
{
    const sha256_digest code = signer(keys, "partyline: state of a request, 1").sign(payload);
    return encode_base64url(std::string(bytes_of(code)) + payload);
}

std::string payload_of(const std::string& sealed)
{
    return decode_base64url(sealed)->substr(32);
}

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    const std::size_t at = text.find(what);
    BOOST_REQUIRE(at != text.npos);
    return text.replace(at, what.size(), by);
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_state_refusals)

// rule: mcp.rounds.hostile
BOOST_AUTO_TEST_CASE(each_fault_is_told_apart)
{
    const std::string good = sealed_memo();
    BOOST_TEST(fault_of(good) == "");
    BOOST_TEST(fault_of(std::string(65'537, 'A')) == words(state_fault::too_long));
    BOOST_TEST(fault_of(good + "=") == words(state_fault::not_base64));
    BOOST_TEST(fault_of("") == words(state_fault::too_short));
    BOOST_TEST(fault_of(std::string(43, 'A')) == words(state_fault::too_short));
    BOOST_TEST(fault_of(std::string(44, 'A')) == words(state_fault::bad_signature));
    BOOST_TEST(fault_of(signed_payload("{}")) == words(state_fault::bad_payload));
    BOOST_TEST(fault_of(good, bound(), now + 10min) == words(state_fault::expired));
    state_binding other = bound();
    other.method = "prompts/get";
    BOOST_TEST(fault_of(good, other) == words(state_fault::other_method));
    other = bound();
    other.name = "clear";
    BOOST_TEST(fault_of(good, other) == words(state_fault::other_name));
    other = bound();
    other.arguments = json_view::checked(R"({"a":2})");
    BOOST_TEST(fault_of(good, other) == words(state_fault::other_arguments));
    other = bound();
    other.principal = "";
    BOOST_TEST(fault_of(good, other) == words(state_fault::other_principal));
}

BOOST_AUTO_TEST_CASE(each_fault_has_words_of_its_own)
{
    std::set<std::string_view> all;
    for (int fault = 0; fault <= int(state_fault::other_principal); ++fault)
        BOOST_TEST(all.insert(words(state_fault(fault))).second);
}

// rule: mcp.rounds.integrity
BOOST_AUTO_TEST_CASE(every_bit_counts)
{
    const std::string good = sealed_memo();
    for (std::size_t at = 0; at != good.size(); ++at)
        for (int bit = 0; bit != 8; ++bit) {
            std::string changed = good;
            changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
            BOOST_TEST(fault_of(changed) != "", changed);
        }
}

BOOST_AUTO_TEST_CASE(nothing_may_be_missing_or_added)
{
    const std::string good = sealed_memo();
    for (std::size_t length = 0; length != good.size(); ++length) {
        BOOST_TEST(fault_of(good.substr(0, length)) != "");
        BOOST_TEST(fault_of(good.substr(good.size() - length)) != "");
    }
    for (const char* more : {"A", "AA", "AAA", "AAAA", " ", "\n"}) {
        BOOST_TEST(fault_of(good + more) != "");
        BOOST_TEST(fault_of(more + good) != "");
    }
}

BOOST_AUTO_TEST_CASE(other_keys_and_other_purposes_sign_nothing)
{
    const std::string good = sealed_memo();
    const auto opened = state_sealer(state_keys::random()).open(good, bound(), now);
    BOOST_TEST((std::get<state_fault>(opened) == state_fault::bad_signature));
    const std::string payload = payload_of(good);
    const sha256_digest code = signer(keys, "something else").sign(payload);
    const std::string forged = encode_base64url(std::string(bytes_of(code)) + payload);
    BOOST_TEST(fault_of(forged) == words(state_fault::bad_signature));
}

BOOST_AUTO_TEST_CASE(what_was_signed_is_still_looked_at)
{
    const std::string good = payload_of(sealed_memo());
    BOOST_TEST(fault_of(signed_payload(good)) == "");
    BOOST_TEST(fault_of(signed_payload(replaced(good, "\"state\":7", "\"more\":7"))) == "");
    const std::string rows[] = {
        " ",
        "null",
        "[]",
        "7",
        "not JSON",
        good.substr(1),
        good + "{}",
        std::string(200, '['),
        std::string(200, '[') + std::string(200, ']'),
        replaced(good, "\"v\":1", "\"v\":2"),
        replaced(good, "\"v\":1", "\"v\":\"1\""),
        replaced(good, "\"v\"", "\"w\""),
        replaced(good, "\"exp\":1", "\"exp\":1.5e1"),
        replaced(good, "\"exp\"", "\"exq\""),
        replaced(good, "\"m\":\"tools/call\"", "\"m\":null"),
        replaced(good, "\"n\":", "\"o\":"),
        replaced(good, "\"d\":", "\"o\":"),
        replaced(good, "\"p\":", "\"o\":"),
        replaced(good, "\"r\":3", "\"r\":0"),
        replaced(good, "\"r\":3", "\"r\":-1"),
        replaced(good, "\"r\":3", "\"r\":4294967296"),
        replaced(good, "\"r\":3", "\"r\":3.0"),
        replaced(good, "\"memo\":{", "\"nemo\":{"),
        replaced(good, "\"state\":7", "\"memo\":[]"),
        replaced(good, "\"state\":7", "\"state\":1e400"),
    };
    for (const std::string& row : rows)
        BOOST_TEST(fault_of(signed_payload(row)) == words(state_fault::bad_payload), row);
}

BOOST_AUTO_TEST_SUITE_END()
