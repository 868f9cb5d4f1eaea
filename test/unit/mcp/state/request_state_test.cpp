#include "mcp/state/request_state.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <variant>

namespace json = boost::json;
using namespace partyline::mcp;
using namespace std::chrono_literals;
using partyline::json_view;

namespace {

const state_sealer::time_point now = state_sealer::time_point(1'800'000'000s);

state_binding bound(std::string_view arguments = R"({"folder":"/tmp"})")
{
    return {"tools/call", "clean", json_view::checked(arguments), "somebody"};
}

round_memo memo_of(json::object memo, std::optional<json::value> state = {})
{
    return {2, std::move(memo), std::move(state)};
}

round_memo opened(const state_sealer& sealer, std::string_view sealed, const state_binding& binding = bound())
{
    auto result = sealer.open(sealed, binding, now);
    if (const auto* const fault = std::get_if<state_fault>(&result))
        BOOST_FAIL(words(*fault));
    return std::get<round_memo>(std::move(result));
}

bool is_opened(const state_sealer& sealer, std::string_view sealed, const state_binding& binding = bound(),
               state_sealer::time_point at = now)
{
    return std::holds_alternative<round_memo>(sealer.open(sealed, binding, at));
}

// A text of which the state takes about as many bytes.
round_memo long_memo(std::size_t bytes)
{
    return memo_of({{"text", std::string(bytes / 4 * 3, 'x')}});
}

} // namespace

BOOST_AUTO_TEST_SUITE(mcp_request_state)

BOOST_AUTO_TEST_CASE(what_was_remembered_comes_back)
{
    const state_sealer sealer(state_keys::random());
    const round_memo rows[] = {
        {1, {}, {}},
        {1, {}, json::value(nullptr)},
        {7, {{"sure", {{"q", "AbC"}, {"a", {{"action", "accept"}, {"content", {{"yes", true}}}}}}}}, {}},
        {std::numeric_limits<std::uint32_t>::max(), {{"once", {{"a", {1, 2.5, -3, nullptr, "x"}}}}}, json::value(1.0)},
        memo_of({{"ä😀\n\"", "ü\u2028\x01"}}, json::value(std::numeric_limits<std::uint64_t>::max())),
        memo_of({}, json::value(std::numeric_limits<std::int64_t>::min())),
    };
    for (const round_memo& row : rows) {
        const round_memo back = opened(sealer, sealer.seal(row, bound(), now));
        BOOST_TEST(back.round == row.round);
        BOOST_TEST(back.memo == row.memo);
        BOOST_TEST((back.state == row.state));
    }
}

BOOST_AUTO_TEST_CASE(a_state_is_text_for_json_and_urls)
{
    const state_sealer sealer(state_keys::random());
    const std::string sealed = sealer.seal(long_memo(1'000), bound(), now);
    BOOST_TEST(sealed.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
               sealed.npos);
}

BOOST_AUTO_TEST_CASE(how_arguments_are_written_does_not_matter_and_what_they_say_does)
{
    const state_sealer sealer(state_keys::random());
    const std::string sealed = sealer.seal({}, bound(R"({"a":1,"b":"\u00e4"})"), now);
    BOOST_TEST(is_opened(sealer, sealed, bound(R"({ "b": "ä", "a": 1 })")));
    BOOST_TEST(!is_opened(sealer, sealed, bound(R"({"a":1.0,"b":"ä"})")));
    BOOST_TEST(!is_opened(sealer, sealed, bound(R"({"a":2,"b":"ä"})")));
    const std::string without = sealer.seal({}, bound(""), now);
    BOOST_TEST(is_opened(sealer, without, bound("{}")));
    BOOST_TEST(is_opened(sealer, without, bound("null")));
}

BOOST_AUTO_TEST_CASE(a_state_may_come_twice)
{
    const state_sealer sealer(state_keys::random());
    const std::string sealed = sealer.seal({}, bound(), now);
    BOOST_TEST(is_opened(sealer, sealed));
    BOOST_TEST(is_opened(sealer, sealed));
}

BOOST_AUTO_TEST_CASE(names_may_be_long_and_any_bytes)
{
    const state_sealer sealer(state_keys::random());
    const std::string uri = "file:///\xff" + std::string(1'000'000, 'x');
    const state_binding binding = {"resources/read", uri, {}, uri};
    const std::string sealed = sealer.seal({}, binding, now);
    BOOST_TEST(sealed.size() < 1'000u);
    BOOST_TEST(is_opened(sealer, sealed, binding));
}

BOOST_AUTO_TEST_CASE(processes_with_the_same_secrets_open_each_others_states)
{
    const std::string a(32, 'a');
    const std::string b(32, 'b');
    const std::string sealed = state_sealer(state_keys({a})).seal({}, bound(), now);
    BOOST_TEST(is_opened(state_sealer(state_keys({a})), sealed));
    BOOST_TEST(is_opened(state_sealer(state_keys({b, a})), sealed));
    BOOST_TEST(!is_opened(state_sealer(state_keys({b})), sealed));
}

// rule: mcp.rounds.expiry
BOOST_AUTO_TEST_CASE(a_state_is_good_until_just_before_its_time)
{
    const state_sealer sealer(state_keys::random());
    const std::string sealed = sealer.seal({}, bound(), now);
    BOOST_TEST(is_opened(sealer, sealed, bound(), now + 10min - 1ms));
    BOOST_TEST(!is_opened(sealer, sealed, bound(), now + 10min));
    BOOST_TEST(!is_opened(sealer, sealed, bound(), now + 24h));
    BOOST_TEST(is_opened(sealer, sealed, bound(), now - 1h)); // a clock that was put back, or another machine's
}

BOOST_AUTO_TEST_CASE(what_is_too_long_is_not_sealed)
{
    const state_sealer sealer(state_keys::random());
    BOOST_TEST(sealer.limits().bytes == 65536u);
    BOOST_TEST(is_opened(sealer, sealer.seal(long_memo(65'000), bound(), now)));
    const auto is_told = [](const unsealable_state& thrown) {
        const std::string text = thrown.what();
        return text.starts_with("What is to be remembered between rounds takes ") &&
               text.ends_with(" bytes as a state, and may take 65536.");
    };
    BOOST_CHECK_EXCEPTION(sealer.seal(long_memo(66'000), bound(), now), unsealable_state, is_told);
}

BOOST_AUTO_TEST_CASE(what_is_not_json_is_not_sealed)
{
    const state_sealer sealer(state_keys::random());
    const auto says = [](const std::string& text) {
        return [text](const unsealable_state& thrown) { return thrown.what() == text; };
    };
    BOOST_CHECK_EXCEPTION(
        sealer.seal(memo_of({{"sum", std::numeric_limits<double>::infinity()}}), bound(), now), unsealable_state,
        says("What is to be remembered between rounds is not JSON at \"/memo/sum\": a number that is not finite."));
    BOOST_CHECK_EXCEPTION(
        sealer.seal(memo_of({}, json::value("\xff")), bound(), now), unsealable_state,
        says("What is to be remembered between rounds is not JSON at \"/state\": text that is not UTF-8."));
    json::value deep = 1;
    for (int i = 0; i != 128; ++i)
        deep = json::array({deep});
    BOOST_CHECK_THROW(sealer.seal(memo_of({}, deep), bound(), now), unsealable_state);
    BOOST_TEST(is_opened(sealer, sealer.seal(memo_of({}, deep.as_array()[0]), bound(), now)));
}

BOOST_AUTO_TEST_CASE(a_time_to_live_is_bounded)
{
    for (const std::chrono::milliseconds wrong : {0ms, -1ms, std::chrono::milliseconds::max()})
        BOOST_CHECK_THROW(state_sealer(state_keys::random(), {.time_to_live = wrong}), std::invalid_argument);
    const state_sealer sealer(state_keys::random(), {.time_to_live = 1ms});
    const std::string sealed = sealer.seal({}, bound(), now);
    BOOST_TEST(is_opened(sealer, sealed));
    BOOST_TEST(!is_opened(sealer, sealed, bound(), now + 1ms));
}

BOOST_AUTO_TEST_SUITE_END()
