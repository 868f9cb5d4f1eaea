#include "rows.hpp"

#include "http/websocket/websocket_framing.hpp"
#include "scenario.hpp"
#include "support/name_families.hpp"
#include "support/websocket_frames.hpp"

#include <partyline/session/request_context.hpp>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include <plain_text_server/document.hpp>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

std::string request(std::string_view id, std::string_view method, std::string_view params)
{
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) + R"(","params":)" +
           std::string(params) + "}\n";
}

std::string notification(std::string_view method, std::string_view params)
{
    return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}\n";
}

// Texts that begin alike, of so many digits.
std::string padded(std::size_t number, std::size_t digits)
{
    const std::string text = std::to_string(number);
    return std::string(digits - text.size(), '0') + text;
}

template <class Make>
std::string repeat(std::size_t times, Make make)
{
    std::string text;
    for (std::size_t i = 0; i != times; ++i)
        text += make(i);
    return text;
}

std::string in_array(std::string elements)
{
    elements.front() = '['; // a comma
    return elements + ']';
}

asio::awaitable<void> wait(request_context& context)
{
    asio::steady_timer timer(context.get_executor(), asio::steady_timer::time_point::max());
    error_code ended; // not thrown: that would be nine tenths of what is counted
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
}

// Either of these may be the other one's argument, and which one it is is told behind that.
enum class plus { add };
BOOST_DESCRIBE_ENUM(plus, add)
enum class times { multiply };
BOOST_DESCRIBE_ENUM(times, multiply)
struct sum;
struct product;
using term = std::variant<sum, product>;
struct sum {
    std::vector<term> args;
    plus op = plus::add;
};
struct product {
    std::vector<term> args;
    times op = times::multiply;
};
BOOST_DESCRIBE_STRUCT(sum, (), (args, op))
BOOST_DESCRIBE_STRUCT(product, (), (args, op))

scenario make_scenario()
{
    scenario s;
    s.methods.add("value", [](json::value v) { return v.is_structured(); });
    s.methods.add("wait", wait, method_options{.open_ended = true});
    s.methods.add("add", [](int a, int b) { return a + b; });
    s.methods.add("lists", [](const std::vector<std::vector<std::string>>& all) { return all.size(); });
    s.methods.add("either", [](const std::vector<std::variant<std::vector<int>, std::vector<std::string>>>& all) {
        return all.size();
    });
    s.methods.add("terms", [](const std::vector<term>& all) { return all.size(); });
    s.methods.add_notification("late", wait, method_options{.deadline = 1ms});
    s.methods.add("late_answer", wait, method_options{.deadline = 1ms});
    s.options.bounds.in_flight_requests = 20'000;
    return s;
}

work playing(scenario s)
{
    const auto what = std::make_shared<scenario>(std::move(s));
    return [what] { run_scenario(std::move(*what)); };
}

work serve(std::string input, std::size_t lines, std::size_t piece = std::size_t(64) << 10)
{
    scenario s = make_scenario();
    s.input = std::move(input);
    s.lines = lines;
    s.piece = piece;
    return playing(std::move(s));
}

// One request with a value for params.
work serve_value(const std::string& params)
{
    return serve(request("1", "value", params), 1);
}

std::vector<std::string> random_names(std::size_t count)
{
    std::mt19937_64 random(9);
    std::vector<std::string> names(count);
    for (std::string& name : names)
        name = random_name(random);
    return names;
}

constexpr std::size_t members = 2048;

work objects(bool is_hostile)
{
    return serve_value(object_of(is_hostile ? colliding_names(members, 0x10, members) : random_names(members)));
}

// One name again and again, at the end of a chain of some hundred.
work equal_names(bool is_hostile)
{
    std::vector<std::string> names = random_names(members);
    if (is_hostile) {
        names = colliding_names(members / 4, 0x10, members);
        names.resize(members, names.front());
    }
    return serve_value(object_of(names));
}

work replies(bool is_hostile)
{
    scenario s = make_scenario();
    s.own_calls = 1;
    s.lines = s.lines_before_replies = 1;
    s.replies = R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":)" +
                object_of(is_hostile ? colliding_names(members, 0x10, members) : random_names(members)) + "}}\n";
    return playing(std::move(s));
}

work arrays(bool is_hostile)
{
    return serve_value(in_array(repeat(20'000, [&](std::size_t) { return is_hostile ? ",[]" : ",10"; })));
}

work nesting(bool is_hostile)
{
    const std::string deep = ',' + std::string(100, '[') + std::string(100, ']');
    const std::string flat = repeat(67, [](std::size_t) { return ",10"; });
    return serve_value(in_array(repeat(300, [&](std::size_t) { return is_hostile ? deep : flat; })));
}

work numbers(bool is_hostile)
{
    const std::string long_one = ",1." + std::string(997, '7');
    const std::string short_ones = repeat(250, [](std::size_t) { return ",1.7"; });
    return serve_value(in_array(repeat(60, [&](std::size_t) { return is_hostile ? long_one : short_ones; })));
}

work refused_params(bool is_hostile)
{
    const std::string_view params = is_hostile ? R"(["x","y"])" : "[100,200]";
    return serve(repeat(4000, [&](std::size_t) { return request("1", "add", params); }), 4000);
}

// Of each two lists that look alike, what is tried first does not fit.
work variants(bool is_hostile)
{
    const auto list = [](std::size_t) { return R"(,["some text","more text"])"; };
    const std::string params = '[' + in_array(repeat(2000, list)) + ']';
    return serve(request("1", is_hostile ? "either" : "lists", params), 1);
}

// As deep as a message may be, against as much that is not deep.
work nested_variants(bool is_hostile)
{
    const std::string flat = R"({"args":[],"op":"multiply"})";
    std::string nested = flat;
    for (int i = 0; i != 50; ++i)
        nested = R"({"args":[)" + nested + R"(],"op":"multiply"})";
    const std::string one = is_hostile ? ',' + nested : repeat(51, [&](std::size_t) { return ',' + flat; });
    return serve(request("1", "terms", '[' + in_array(repeat(40, [&](std::size_t) { return one; })) + ']'), 1);
}

// One long string, in short pieces, against many short ones.
work strings(bool is_hostile)
{
    const std::string word = is_hostile ? "w\u00f6rter,,," : "\"w\u00f6rter\",";
    const std::string words = repeat(10'000, [&](std::size_t) { return word; });
    const std::string params = is_hostile ? "[\"" + words + "\"]" : '[' + words + "1]";
    return serve(request("1", "value", params), 1, 64);
}

work escapes(bool is_hostile)
{
    const std::string escaped = repeat(10'000, [](std::size_t) { return "\\ud83d\\ude00"; });
    const std::string words = repeat(10'000, [](std::size_t) { return "\"some text\","; });
    return serve_value(is_hostile ? "[\"" + escaped + "\"]" : '[' + words + "1]");
}

// Elements that are refused: their ids are taken.
work batches(bool is_hostile)
{
    const auto element = [&](std::size_t i) {
        std::string text = ',' + request(padded(is_hostile ? 1'000'000 : 1'000'000 + i, 7), "wait", "[]");
        text.pop_back();
        return text;
    };
    return serve(in_array(repeat(1000, element)) + '\n', 1);
}

// Long ids that begin and end alike, of requests that are in flight together.
work ids(bool is_hostile)
{
    const auto one = [&](std::size_t i) {
        const std::string alike = padded(1'000'000 + i, 100) + std::string(100, 'x');
        const std::string different = padded(i * 2654435761 % 10'000'000, 7) + std::string(193, 'x');
        return request('"' + (is_hostile ? alike : different) + '"', "wait", "[]");
    };
    return serve(repeat(4000, one), 4000);
}

work methods(bool is_hostile)
{
    const auto one = [&](std::size_t i) {
        return request("1", is_hostile ? padded(i, 200) : std::string(200, 'x'), "[]");
    };
    return serve(repeat(4000, one), 4000);
}

// Cancels in the opposite order, when all requests are there, or of each request at once.
work cancels(bool is_hostile)
{
    constexpr std::size_t count = 4000;
    const auto ask = [](std::size_t i) { return request(std::to_string(1'000'000 + i), "wait", "[]"); };
    const auto cancel = [](std::size_t i) {
        return notification("$/cancelRequest", R"({"id":)" + std::to_string(1'000'000 + i) + '}');
    };
    if (!is_hostile)
        return serve(repeat(count, [&](std::size_t i) { return ask(i) + cancel(i); }), count);
    return serve(repeat(count, ask) + repeat(count, [&](std::size_t i) { return cancel(count - 1 - i); }), count);
}

// The same of requests that wait for their start.
work waiting_cancels(bool is_hostile)
{
    scenario s = make_scenario();
    s.options.bounds.in_flight_requests = 1;
    constexpr std::size_t count = 4000;
    const auto ask = [](std::size_t i) { return request(std::to_string(1'000'000 + i), "wait", "[]"); };
    s.input = repeat(count, ask) + repeat(count, [&](std::size_t i) {
                  return notification("$/cancelRequest",
                                      R"({"id":)" + std::to_string(1'000'000 + (is_hostile ? count - 1 - i : i)) + '}');
              });
    s.lines = count;
    return playing(std::move(s));
}

// Of notifications, which nothing names, behind many requests that are in flight.
work deadlines(bool is_hostile)
{
    constexpr std::size_t count = 6'000;
    const auto one = [&](std::size_t i) {
        return is_hostile ? notification("late", "[]") : request(std::to_string(i), "late_answer", "[]");
    };
    const auto before = [](std::size_t i) { return request(std::to_string(count + i), "wait", "[]"); };
    return serve(repeat(count, before) + repeat(count, one), is_hostile ? count : 2 * count);
}

// Calls of one handler, against calls of the session's own.
work calls(bool is_hostile)
{
    constexpr std::size_t count = 12'000;
    scenario s = make_scenario();
    s.methods.add_notification(
        "call",
        [](request_context& context) {
            for (std::size_t i = 0; i != count; ++i)
                context.call("call", nullptr)([](error_code, const response&) {});
            return wait(context);
        },
        method_options{.open_ended = true});
    s.own_calls = is_hostile ? 0 : count;
    s.input = is_hostile ? notification("call", "[]") : "";
    s.lines = s.lines_before_replies = count;
    s.replies = repeat(count, [](std::size_t i) {
        return R"({"jsonrpc":"2.0","id":)" + std::to_string(count - i) + ",\"result\":1}\n";
    });
    return playing(std::move(s));
}

// A long message in short pieces, against short ones.
work pieces(bool is_hostile)
{
    const std::string text = notification("unknown", "[" + std::string(79, ' ') + "]");
    if (!is_hostile)
        return serve(repeat(2000, [&](std::size_t) { return text; }), 0, 64);
    return serve(notification("unknown", "[" + std::string(2000 * text.size(), ' ') + "]"), 0, 64);
}

// The same from a socket, which the session waits for before each piece.
work segments(bool is_hostile)
{
    constexpr std::size_t count = 4096;
    constexpr std::size_t size = 256;
    scenario s = make_scenario();
    s.piece = size;
    const std::string text = notification("unknown", "[]");
    const std::string spaces(count * size - text.size(), ' ');
    s.input = is_hostile ? text.substr(0, text.size() - 1) + spaces + '\n'
                         : repeat(count, [&](std::size_t) { return std::string(size - text.size(), ' ') + text; });
    const auto what = std::make_shared<scenario>(std::move(s));
    return [what] { run_by_socket(std::move(*what)); };
}

// The same, over the limit.
work oversize(bool is_hostile)
{
    scenario s = make_scenario();
    s.options.bounds.message_bytes = 4096;
    const std::string text = notification("unknown", "[\"" + std::string(77, '{') + "\"]");
    s.input = repeat(2000, [&](std::size_t) { return text; });
    if (is_hostile)
        s.input = request("1", "unknown", '[' + std::string(s.input.size(), '[') + ']');
    s.lines = is_hostile ? 1 : 0;
    s.piece = 64;
    return playing(std::move(s));
}

// Frames of WebSocket, in pieces, and what their framing has to say to them.
work framing(std::string frames)
{
    return [frames = std::move(frames)] {
        http::websocket_framing taken(http::websocket_framing::side::server, limits(), http::close_code::normal);
        byte_buffer said;
        for (std::string_view left = frames; !left.empty();) {
            const std::string_view piece = left.substr(0, 64);
            piece.copy(taken.prepare().data(), piece.size());
            taken.commit(piece.size());
            left.remove_prefix(piece.size());
            for (frame next; taken.next(next);) {
            }
            if (taken.owes())
                taken.append_owed(said);
            said.clear();
            taken.release_memory(); // as a session does before it waits
        }
        if (taken.input_end())
            throw std::runtime_error("the frames break a rule");
    };
}

// A message in many frames, against as many messages.
work frames(bool is_hostile)
{
    namespace made = websocket_frames;
    const std::string text(16, 'x');
    if (!is_hostile)
        return framing(repeat(4000, [&](std::size_t) { return made::text(text); }));
    return framing(made::part(1, text, false) + repeat(3998, [&](std::size_t) { return made::part(0, text, false); }) +
                   made::part(0, text, true));
}

work pings(bool is_hostile)
{
    namespace made = websocket_frames;
    return framing(
        repeat(4000, [&](std::size_t) { return is_hostile ? made::ping("0123456789") : made::text("0123456789"); }));
}

// Edits of one character all over a long text, against the same in a short one.
work edits(bool is_hostile)
{
    const std::size_t lines = is_hostile ? 8'000 : 80;
    const plain_text::document text(0, repeat(lines, [](std::size_t) { return std::string(49, 'x') + '\n'; }));
    std::vector<plain_text::text_change> changes;
    for (std::uint32_t i = 0; i != 1000; ++i) {
        const plain_text::position at{static_cast<std::uint32_t>(i * 7919ull % lines), 20};
        changes.push_back({plain_text::range{at, at}, "y"});
    }
    return [text, changes] { text.changed(1, changes); };
}

} // namespace

const std::map<std::string, std::function<work(bool)>>& rows()
{
    static const std::map<std::string, std::function<work(bool)>> all = {
        {"objects", objects},
        {"equal_names", equal_names},
        {"replies", replies},
        {"arrays", arrays},
        {"nesting", nesting},
        {"numbers", numbers},
        {"strings", strings},
        {"refused_params", refused_params},
        {"variants", variants},
        {"nested_variants", nested_variants},
        {"escapes", escapes},
        {"batches", batches},
        {"ids", ids},
        {"methods", methods},
        {"cancels", cancels},
        {"waiting_cancels", waiting_cancels},
        {"deadlines", deadlines},
        {"calls", calls},
        {"pieces", pieces},
        {"segments", segments},
        {"oversize", oversize},
        {"edits", edits},
        {"frames", frames},
        {"pings", pings},
        {"sessions", sessions},
    };
    return all;
}

} // namespace partyline::test
