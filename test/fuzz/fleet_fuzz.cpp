// What comes over the bus is an item, a reply, a cancel or a piece of a session, or is refused: those that are accepted
// are what another JSON reader finds in their lines, and are written as the same again. The rules of front, worker and
// session take anything.

#include "fleet/channel/channel_core.hpp"
#include "fleet/front/front_core.hpp"
#include "fleet/wire/item.hpp"
#include "fleet/wire/jetstream.hpp"
#include "fleet/wire/reply.hpp"
#include "fleet/worker/worker_core.hpp"
#include "fuzz/fuzz_input.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <variant>

using partyline::test::fuzz_input;
using partyline::test::require;
namespace json = boost::json;

namespace {

using namespace partyline::fleet;

constexpr std::size_t max_bytes = 1'000;
constexpr moment now{std::chrono::steady_clock::time_point(std::chrono::hours(1)),
                     std::chrono::system_clock::time_point(std::chrono::seconds(1'800'000'000))};

bool is_visible(std::string_view text)
{
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

json::object parsed_line(std::string_view payload)
{
    return json::parse(payload.substr(0, payload.find('\n'))).as_object();
}

void check_item(std::string_view payload)
{
    const auto read = read_item(payload, max_bytes);
    require(bool(read) == read.refused.empty(), "what is refused has a reason", payload);
    if (!read)
        return;
    const item& one = *read.value;
    const json::object line = parsed_line(payload);
    require(line.at("id") == json::value(one.id.text()), "the id is that of the line", payload);
    require(line.at("reply") == json::value("pl.r." + one.id.front), "replies go to the front", payload);
    require(payload.substr(payload.find('\n') + 1) == one.message, "the message is what follows", payload);
    require(is_visible(one.id.text()), "names are plain", payload);
    require(one.message.empty() == (one.session != session_kind::none), "a session has no message", payload);
    if (one.peer) {
        require(line.at("peer").at("principal") == json::value(one.peer->principal), "the peer is as it says", payload);
        require(is_visible(one.peer->principal) && !one.peer->principal.empty(), "a peer's name is plain", payload);
    }
    const auto again = read_item(write_item(one), max_bytes);
    require(again && *again.value == one, "an item is read as it was written", payload);
}

void check_reply(std::string_view payload)
{
    const auto read = read_reply(payload, max_bytes);
    require(bool(read) == read.refused.empty(), "what is refused has a reason", payload);
    if (!read)
        return;
    const json::object line = parsed_line(payload);
    require(line.at("id") == json::value(read.value->id.text()), "the id is that of the line", payload);
    require(line.at("n").to_number<std::uint64_t>() == read.value->number, "so is the number", payload);
    const auto again = read_reply(write_reply(*read.value), max_bytes);
    require(again && *again.value == *read.value, "a reply is read as it was written", payload);
}

// At one side of a session that has said one thing: what was read is what has come.
void check_channel(std::string_view payload)
{
    const auto read = read_channel_message(payload);
    require(bool(read) == read.refused.empty(), "what is refused has a reason", payload);
    if (!read)
        return;
    const json::object line = parsed_line(payload);
    require(line.at("id") == json::value(read.value->id.text()), "the id is that of the line", payload);
    require(line.at("run") == json::value(read.value->run), "so is the run", payload);
    require(payload.substr(payload.find('\n') + 1) == read.value->bytes, "the bytes are what follows", payload);
    const auto again = read_channel_message(write_channel_message(*read.value));
    require(again && *again.value == *read.value, "a message is read as it was written", payload);
    channel_core channel({{"F1", 1}, "W1.1", "pl.r.F1.m.1"}, now.steady);
    channel.write("x", now.steady);
    for (int i = 0; i < 2; ++i)
        channel.on_message(*read.value, now.steady);
    require(channel.unread_bytes() <= 1, "nothing is read that was not said", payload);
    char room[max_piece_bytes + 1];
    const std::size_t count = channel.read(boost::asio::buffer(room), now.steady);
    require(count == 0 || std::string_view(room, count) == read.value->bytes, "a piece is read once", payload);
}

// At a front with one call: it is settled once at most, and nothing is said to other subjects than those of workers.
void check_front(std::string_view subject, std::string_view reply_to, std::string_view payload)
{
    front_core front("F1", "tools");
    new_call call;
    call.message = "{}";
    front.enter(std::move(call), now);
    front.take_effects();
    std::size_t settled = 0;
    for (int i = 0; i < 2; ++i)
        front.on_message({subject, reply_to, 0, payload}, now);
    for (const front_effect& effect : front.take_effects()) {
        settled += std::holds_alternative<call_settled>(effect) ? 1u : 0u;
        if (const auto* const said = std::get_if<publication>(&effect))
            require(said->subject.starts_with("pl.w."), "a front confirms to workers alone", said->subject);
    }
    require(settled + front.open_calls() == 1, "a call is settled once", payload);
}

// At a worker: nothing runs twice, and items are acknowledged where they came from alone.
void check_worker(std::string_view subject, std::string_view reply_to, std::string_view payload)
{
    worker_core worker("W1", "tools", [](const item&) { return true; });
    worker.on_connected(now);
    worker.take_effects();
    int runs = 0;
    for (int i = 0; i < 2; ++i)
        worker.on_message({subject, reply_to, 0, payload}, now);
    for (const worker_effect& effect : worker.take_effects()) {
        runs += std::holds_alternative<run_started>(effect) ? 1 : 0;
        const auto* const said = std::get_if<publication>(&effect);
        if (said && said->subject.starts_with("$JS.ACK."))
            require(said->subject == reply_to, "an item is acknowledged where it came from", said->subject);
    }
    require(runs <= 1, "an item that comes twice runs once", payload);
}

} // namespace

// The first decision: what the text is. For front and worker: a subject, a subject for replies, and the payload, each
// of the former in a line.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz_input input(data, size);
    const std::size_t way = input.choose(6);
    const std::string_view text = input.text();
    if (way == 0) {
        check_item(text);
        check_worker("pl.q.tools", "$JS.ACK.1", text);
    } else if (way == 1) {
        check_reply(text);
        check_front("pl.r.F1.1", "pl.w.W1.c.1", text);
    } else if (way == 5) {
        check_channel(text);
    } else if (way == 2) {
        read_cancel(text);
        read_stream_answer({"s", {}, 0, text});
        read_api_answer({"s", {}, 0, text});
    } else {
        const std::size_t first = std::min(text.find('\n'), text.size());
        const std::size_t second = std::min(text.find('\n', first + 1), text.size());
        const std::string_view payload = text.substr(std::min(second + 1, text.size()));
        const std::string_view reply_to = first < second ? text.substr(first + 1, second - first - 1) : "";
        if (way == 3)
            check_front(text.substr(0, first), reply_to, payload);
        else
            check_worker(text.substr(0, first), reply_to, payload);
    }
    return 0;
}
