#include "post_mix.hpp"

#include "support/requests.hpp"

#include <array>

namespace partyline::test {
namespace {

using kind = expectation::kind;

constexpr std::string_view takes_both = "Accept: application/json, text/event-stream\r\n";

} // namespace

expectation post_mix::add_next(std::string& out, connection then)
{
    const bool is_plain = to_.speaks == post_target::protocol::plain;
    std::string body;
    const expectation made = is_plain ? make_plain(body) : make_mcp(body);
    std::string fields = to_.fields;
    fields += is_plain ? any_accept() : takes_both;
    if (then == connection::closes)
        fields += "Connection: close\r\n";
    append_post(out, is_plain ? "/rpc" : "/mcp", fields, body, random_);
    return made;
}

expectation post_mix::make_plain(std::string& body)
{
    const std::size_t dice = random(100);
    if (dice < 45)
        return make_echo(body);
    if (dice < 60)
        return make_small(body);
    if (dice < 72)
        return make_batch(body);
    if (dice < 80)
        return make_notification(body);
    return dice < 85 ? make_error(body) : make_count(body);
}

expectation post_mix::make_mcp(std::string& body)
{
    const std::size_t dice = random(100);
    if (dice < 60)
        return make_tool_call(body);
    if (dice < 85)
        return make_steps(body);
    if (dice < 95)
        return make_error(body);
    body = notification("notifications/nothing", "{}");
    return {};
}

expectation post_mix::add_endless(std::string& out)
{
    const expectation made = new_ids(kind::endless, 1);
    append_post(out, "/rpc", takes_both, request(made.first_id, "count", R"({"to":4000000000,"ms":1})"), random_);
    return made;
}

expectation post_mix::new_ids(kind what, std::size_t count)
{
    expectation made;
    made.what = what;
    made.may_fail = answers_ == answers::or_error;
    made.first_id = next_id_;
    made.requests = count;
    next_id_ += count;
    return made;
}

// Mostly none, and now and then more than a socket takes at once.
std::size_t post_mix::text_size()
{
    const std::size_t dice = random(1000);
    return dice < 500 ? 0 : dice < 950 ? random(64) : dice < 990 ? random(8'000) : random(400'000);
}

expectation post_mix::make_echo(std::string& body)
{
    expectation made = new_ids(kind::echoed, 1);
    made.bytes = text_size();
    std::string params = "[" + std::to_string(made.first_id);
    if (made.bytes != 0)
        params += ",\"" + std::string(made.bytes, letter_of(made.first_id)) + '"';
    body = request(made.first_id, "echo", params + "]");
    return made;
}

// One that is answered at once, or a little later than those that come after it.
expectation post_mix::make_small(std::string& body)
{
    const expectation made = new_ids(kind::echoed, 1);
    const std::string id = std::to_string(made.first_id);
    body += random(2) == 0
                ? request(made.first_id, "echo", "[" + id + "]")
                : request(made.first_id, "delay", "{\"ms\":" + std::to_string(random(4)) + ",\"value\":[" + id + "]}");
    return made;
}

expectation post_mix::make_count(std::string& body)
{
    expectation made = new_ids(kind::counted, 1);
    made.counted = static_cast<std::int64_t>(1 + random(4));
    const std::string ms = random(2) == 0 ? "" : ",\"ms\":1";
    body = request(made.first_id, "count", "{\"to\":" + std::to_string(made.counted) + ms + "}");
    return made;
}

expectation post_mix::make_error(std::string& body)
{
    const expectation made = new_ids(kind::unknown_method, 1);
    body = request(made.first_id, "nothing", "{}");
    return made;
}

expectation post_mix::make_notification(std::string& body)
{
    body += notification(random(2) == 0 ? "echo" : "nothing", "[1]");
    return {};
}

// With a notification at its end.
expectation post_mix::make_batch(std::string& body)
{
    const std::uint64_t first = next_id_;
    const std::size_t count = 2 + random(7);
    body += '[';
    expectation made;
    for (std::size_t i = 0; i != count; ++i) {
        made = make_small(body);
        body.back() = ','; // in place of the end of its line
    }
    make_notification(body);
    body.back() = ']';
    made.first_id = first;
    made.requests = count;
    made.is_batch = true;
    return made;
}

expectation post_mix::make_tool_call(std::string& body)
{
    expectation made = new_ids(kind::tool_text, 1);
    made.bytes = 1 + text_size();
    body = request(made.first_id, "tools/call",
                   R"({"name":"echo","arguments":{"message":")" + std::string(made.bytes, letter_of(made.first_id)) +
                       "\"}}");
    return made;
}

expectation post_mix::make_steps(std::string& body)
{
    expectation made = new_ids(kind::tool_steps, 1);
    made.counted = static_cast<std::int64_t>(1 + random(4));
    body = request(made.first_id, "tools/call",
                   R"({"name":"slow","arguments":{"ms":1,"steps":)" + std::to_string(made.counted) +
                       R"(},"_meta":{"progressToken":)" + std::to_string(made.first_id) + "}}");
    return made;
}

std::string_view post_mix::any_accept()
{
    constexpr std::array<std::string_view, 5> all{"", takes_both, "Accept: application/json\r\n", "Accept: */*\r\n",
                                                  "Accept: text/event-stream\r\n"};
    return all[random(all.size())];
}

} // namespace partyline::test
