#include "http/websocket/websocket_framing.hpp"
#include "support/websocket_frames.hpp"
#include "websocket/heard_frames.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

using partyline::byte_buffer;
using partyline::errc;
using partyline::http::close_code;
using partyline::http::websocket_framing;
using namespace websocket_frames;

namespace {

using side = websocket_framing::side;

partyline::limits small_limits()
{
    partyline::limits all;
    all.message_bytes = 70'000;
    return all;
}

websocket_framing made(side of = side::server)
{
    return {of, small_limits(), close_code::normal};
}

std::string times(std::size_t count, const std::string& what)
{
    std::string all;
    for (std::size_t i = 0; i != count; ++i)
        all += what;
    return all;
}

std::string heard_at(const std::string& bytes, std::size_t cut, side of)
{
    websocket_framing framing = made(of);
    heard_frames heard(framing);
    heard.take(std::string_view(bytes).substr(0, cut));
    heard.take(std::string_view(bytes).substr(cut));
    BOOST_TEST(heard.is_stopped());
    return heard.words();
}

std::string heard_bytewise(const std::string& bytes, side of)
{
    websocket_framing framing = made(of);
    heard_frames heard(framing);
    for (const char c : bytes)
        heard.take({&c, 1});
    BOOST_TEST(heard.is_stopped());
    return heard.words();
}

// The same however it is cut.
void expect(const std::string& bytes, const std::string& words, side of = side::server)
{
    const std::size_t step = bytes.size() > 2000 ? 997 : 1;
    for (std::size_t cut = 0; cut <= bytes.size(); cut += step) {
        BOOST_TEST_CONTEXT("cut at " << cut)
        BOOST_TEST_REQUIRE(heard_at(bytes, cut, of) == words);
    }
    BOOST_TEST_REQUIRE(heard_bytewise(bytes, of) == words);
}

struct row {
    const char* what;
    std::string bytes;
    std::string words;
};

void expect_all(const std::vector<row>& rows, side of = side::server)
{
    for (const row& each : rows) {
        BOOST_TEST_CONTEXT(each.what)
        expect(each.bytes, each.words, of);
    }
}

const std::string snowman = "\xE2\x98\x83";
const std::string high = "\xF0\x9F\x98\x80"; // past U+FFFF

} // namespace

BOOST_AUTO_TEST_SUITE(http_websocket_framing, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(takes_messages_out_of_frames)
{
    expect_all({
        {"one frame", text("hello"), "[hello]"},
        {"two messages", text("a") + text("bb"), "[a][bb]"},
        {"nothing in it", text(""), "[]"},
        {"125 bytes", text(std::string(125, 'x')), '[' + std::string(125, 'x') + ']'},
        {"126 bytes", text(std::string(126, 'x')), '[' + std::string(126, 'x') + ']'},
        {"65536 bytes", text(std::string(65536, 'x')), '[' + std::string(65536, 'x') + ']'},
        {"in parts", part(1, "ab", false) + part(0, "cd", false) + part(0, "e", true) + text("f"), "[abcde][f]"},
        {"in parts of nothing", part(1, "", false) + part(0, "", false) + part(0, "", true), "[]"},
        {"a part of nothing at the end", part(1, "ab", false) + part(0, "", true), "[ab]"},
        {"the most that may be", text(std::string(70'000, 'y')), '[' + std::string(70'000, 'y') + ']'},
    });
}

BOOST_AUTO_TEST_CASE(takes_control_frames_between_those_of_a_message)
{
    expect_all({
        {"a ping", ping("ab"), " pong ab"},
        {"of nothing", ping(""), " pong "},
        {"the longest", ping(std::string(125, 'p')), " pong " + std::string(125, 'p')},
        {"several", ping("a") + ping("b"), " pong a pong b"},
        {"more than there is room for", times(700, ping("abcd")) + ping("last"),
         times(700 % 683, " pong abcd") + " pong last"},
        {"within a message", part(1, "x", false) + ping("p") + part(0, "y", true), "[xy] pong p"},
        {"a pong nobody asked for", bytes_of({.type = 10, .content = "z"}) + text("a"), "[a]"},
        {"an end within a message", part(1, "x", false) + closing(1000), " end 1000"},
    });
}

BOOST_AUTO_TEST_CASE(ends_as_its_peer_does)
{
    expect_all({
        {"in order", text("a") + closing(1000) + text("b"), "[a] end 1000"},
        {"with words", closing(1001, "going"), " end 1001"},
        {"without a code", bytes_of({.type = 8}), " end"},
        {"a ping before it is forgotten", ping("a") + closing(1000), " end 1000"},
        {"a ping after it", closing(1000) + ping("a"), " end 1000"},
    });
    for (const unsigned code : {1000U, 1001U, 1002U, 1003U, 1007U, 1008U, 1009U, 1010U, 1011U, 1012U, 1013U, 1014U,
                                3000U, 3999U, 4000U, 4999U})
        expect(closing(code), " end " + std::to_string(code));
}

BOOST_AUTO_TEST_CASE(keeps_the_reason_of_an_end_that_is_not_in_order)
{
    const auto reason_after = [](const std::string& bytes) {
        websocket_framing framing = made();
        heard_frames(framing).take(bytes);
        return framing.close_reason();
    };
    for (const unsigned code : {1000U, 1001U, 1012U})
        BOOST_TEST(reason_after(closing(code, "bye")) == "");
    BOOST_TEST(reason_after(bytes_of({.type = 8})) == "");
    BOOST_TEST(reason_after(text("a")) == "");
    BOOST_TEST(reason_after(closing(1011)) == "1011");
    BOOST_TEST(reason_after(closing(1008, "token expired")) == "1008 \"token expired\"");
    BOOST_TEST(reason_after(closing(4000, std::string(123, 'x'))) == "4000 \"" + std::string(123, 'x') + '"');
}

BOOST_AUTO_TEST_CASE(refuses_what_breaks_the_rules_of_frames)
{
    const std::string end = "[a] end 1002";
    const std::string a = text("a");
    expect_all({
        {"not masked", a + text("b", mask::none), end},
        {"the first reserved bit", a + bytes_of({.content = "b", .reserved = 4}), end},
        {"the second", a + bytes_of({.content = "b", .reserved = 2}), end},
        {"the third", a + bytes_of({.content = "b", .reserved = 1}), end},
        {"reserved kinds of messages", a + bytes_of({.type = 3}), end},
        {"", a + bytes_of({.type = 7}), end},
        {"reserved kinds of control", a + bytes_of({.type = 11}), end},
        {"", a + bytes_of({.type = 15}), end},
        {"a part of no message", a + part(0, "b", true), end},
        {"a message within another", a + part(1, "b", false) + text("c"), end},
        {"a ping in parts", a + part(9, "b", false), end},
        {"an end in parts", a + part(8, "", false), end},
        {"a long ping", a + ping(std::string(126, 'p')), end},
        {"a short length in two bytes", a + bytes_of({.content = "b", .length_bytes = 2}), end},
        {"a short length in eight", a + bytes_of({.content = "b", .length_bytes = 8}), end},
        {"a middling length in eight", a + bytes_of({.content = std::string(300, 'b'), .length_bytes = 8}), end},
        {"a length of 64 bits", a + bytes_of({.length_bytes = 8, .told = 1ULL << 63, .is_told = true}), end},
        {"an end of one byte", a + bytes_of({.type = 8, .content = "x"}), end},
    });
    for (const unsigned code : {0U, 999U, 1004U, 1005U, 1006U, 1015U, 1016U, 1100U, 2000U, 2999U, 5000U, 65535U})
        expect(a + closing(code), end);
}

BOOST_AUTO_TEST_CASE(refuses_what_is_no_text)
{
    expect_all({
        {"bytes", bytes_of({.type = 2, .content = "b"}), " end 1003"},
        {"bytes in parts", part(2, "b", false), " end 1003"},
        {"a lone continuation byte", text("a\x80"), " end 1007"},
        {"an overlong slash", text("\xC0\xAF"), " end 1007"},
        {"a surrogate", text("\xED\xA0\x80"), " end 1007"},
        {"past the last character", text("\xF4\x90\x80\x80"), " end 1007"},
        {"cut off", text("ab\xE2\x98"), " end 1007"},
        {"cut off in the last part", part(1, "ab\xE2", false) + part(0, "\x98", true), " end 1007"},
        {"a reason that is none", closing(1000, "\xFF"), " end 1007"},
        {"a reason that is cut off", closing(1000, "\xE2\x98"), " end 1007"},
        {"seen in the first part", part(1, "\xC3\x28", false), " end 1007"},
    });
}

BOOST_AUTO_TEST_CASE(takes_characters_that_are_cut_anywhere)
{
    for (const std::string& each : {snowman, high, "\xC3\xA9" + snowman + "x" + high}) {
        expect(text(each), '[' + each + ']');
        for (std::size_t cut = 0; cut <= each.size(); ++cut)
            expect(part(1, each.substr(0, cut), false) + part(0, each.substr(cut), true), '[' + each + ']');
        expect(part(1, "", false) + times(1, part(0, each.substr(0, 1), false)) + part(0, "", false) +
                   part(0, each.substr(1), true),
               '[' + each + ']');
    }
}

BOOST_AUTO_TEST_CASE(bounds_what_it_takes)
{
    const partyline::limits most = small_limits();
    expect_all({
        {"refused by its length alone", bytes_of({.length_bytes = 8, .told = most.message_bytes + 1, .is_told = true}),
         " end 1009"},
        {"refused in all", part(1, std::string(69'999, 'x'), false) + part(0, "yz", true), " end 1009"},
        {"the longest length", bytes_of({.length_bytes = 8, .told = (1ULL << 63) - 1, .is_told = true}), " end 1009"},
    });
    const std::size_t frames = websocket_framing::max_frames;
    const std::string start = part(1, "", false);
    const std::string filling = times(frames - 2, part(0, "", false));
    BOOST_TEST(heard_at(start + filling + part(0, "z", true), 5, side::server) == "[z]");
    BOOST_TEST(heard_at(start + filling + part(0, "", false) + part(0, "z", true), 5, side::server) == " end 1008");
}

BOOST_AUTO_TEST_CASE(takes_from_a_server_what_is_not_masked)
{
    expect_all(
        {
            {"a message", text("hello", mask::none) + text(snowman, mask::none), "[hello][" + snowman + "]"},
            {"a masked one", text("a", mask::none) + text("hello"), "[a] end 1002"},
        },
        side::client);
}

BOOST_AUTO_TEST_CASE(writes_what_another_one_reads)
{
    for (const std::size_t size : {0U, 1U, 125U, 126U, 1000U, 65535U, 65536U, 69'999U}) {
        for (const side writer : {side::server, side::client}) {
            websocket_framing from = made(writer);
            const std::string content(size, 'm');
            byte_buffer out;
            out.append("before");
            from.begin_message(out);
            out.append(content);
            from.end_message(out);
            websocket_framing to = made(writer == side::client ? side::server : side::client);
            heard_frames heard(to);
            heard.take(out.view().substr(6));
            BOOST_TEST(heard.words() == '[' + content + ']');
            BOOST_TEST(out.view().substr(0, 6) == "before");
        }
    }
}

BOOST_AUTO_TEST_CASE(says_how_a_session_has_ended)
{
    const auto code_for = [](partyline::error_code why) {
        websocket_framing one(side::server, small_limits(), close_code::service_restart);
        byte_buffer out;
        one.append_end(why, out);
        return static_cast<unsigned char>(out.data()[2]) * 256 + static_cast<unsigned char>(out.data()[3]);
    };
    BOOST_TEST(code_for({}) == 1012);
    BOOST_TEST(code_for(errc::drain_timeout) == 1012);
    BOOST_TEST(code_for(boost::asio::error::operation_aborted) == 1001);
    BOOST_TEST(code_for(errc::idle) == 1001);
    BOOST_TEST(code_for(errc::overloaded) == 1013);
    BOOST_TEST(code_for(errc::access_ended) == 1008);
    BOOST_TEST(code_for(errc::session_failed) == 1011);
}

BOOST_AUTO_TEST_CASE(knows_whether_a_message_is_cut_off)
{
    const std::string begun = part(1, "", false);
    const std::string whole = text("abc");
    websocket_framing framing = made();
    heard_frames heard(framing);
    BOOST_TEST(!framing.is_within_message());
    heard.take(whole);
    BOOST_TEST(!framing.is_within_message());
    heard.take(std::string_view(whole).substr(0, 6)); // its head, and nothing that is kept
    BOOST_TEST(framing.is_within_message());
    heard.take(std::string_view(whole).substr(6));
    BOOST_TEST(!framing.is_within_message());
    heard.take(begun);
    BOOST_TEST(framing.is_within_message());
}

BOOST_AUTO_TEST_CASE(gives_up_a_message_under_way)
{
    websocket_framing one = made();
    heard_frames heard(one);
    heard.take(text("whole") + part(1, std::string(60'000, 'x'), false));
    BOOST_TEST(one.pending() == 60'000u);
    one.give_up_pending();
    BOOST_TEST(one.pending() == 0u);
    heard.take(part(0, "y", true));
    BOOST_TEST(heard.words() == "[whole] end 1013");
    BOOST_TEST((one.input_end() == errc::overloaded));
}

BOOST_AUTO_TEST_CASE(gives_memory_back_within_a_message)
{
    websocket_framing one = made();
    heard_frames heard(one);
    heard.take(text(std::string(65'000, 'a')) + part(1, "b" + snowman.substr(0, 2), false));
    one.release_memory();
    heard.take(part(0, snowman.substr(2), true));
    BOOST_TEST(heard.words() == '[' + std::string(65'000, 'a') + "][b" + snowman + ']');
}

BOOST_AUTO_TEST_CASE(a_client_never_masks_by_the_same_key_in_a_row)
{
    websocket_framing one = made(side::client);
    std::vector<std::string> keys;
    for (int i = 0; i != 200; ++i) {
        byte_buffer out;
        one.begin_message(out);
        out.append("{}");
        one.end_message(out);
        keys.emplace_back(out.view().substr(2, 4));
    }
    std::sort(keys.begin(), keys.end());
    BOOST_TEST((std::unique(keys.begin(), keys.end()) - keys.begin()) >= 199);
}

BOOST_AUTO_TEST_SUITE_END()
