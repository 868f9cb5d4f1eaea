#include "post_mix.hpp"

#include "support/requests.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace partyline::test {
namespace {

using kind = expectation::kind;

constexpr std::string_view takes_both = "Accept: application/json, text/event-stream\r\n";

} // namespace

expectation post_mix::add_next(std::string& out, connection then)
{
    std::string body;
    expectation made;
    const std::size_t dice = random(100);
    if (dice < 45)
        made = make_echo(body);
    else if (dice < 60)
        made = make_small(body);
    else if (dice < 72)
        made = make_batch(body);
    else if (dice < 80)
        made = make_notification(body);
    else if (dice < 85)
        made = make_error(body);
    else
        made = make_count(body);
    std::string fields(any_accept());
    if (then == connection::closes)
        fields += "Connection: close\r\n";
    add_post(out, body, fields);
    return made;
}

expectation post_mix::add_endless(std::string& out)
{
    const expectation made = new_ids(kind::endless, 1);
    add_post(out, request(made.first_id, "count", R"({"to":4000000000,"ms":1})"), takes_both);
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
    made.counted = 1 + random(4);
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

void post_mix::add_post(std::string& out, std::string_view body, std::string_view fields)
{
    out += "POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    out += fields;
    if (random(3) == 0)
        return add_chunks(out, body);
    out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

void post_mix::add_chunks(std::string& out, std::string_view body)
{
    out += "Transfer-Encoding: chunked\r\n\r\n";
    while (!body.empty()) {
        const std::string_view chunk =
            body.substr(0, 1 + random(std::min<std::size_t>(body.size(), 1 + body.size() / 2)));
        std::array<char, 16> size{};
        const auto end = std::to_chars(size.data(), size.data() + size.size(), chunk.size(), 16).ptr;
        out.append(size.data(), end).append("\r\n").append(chunk).append("\r\n");
        body.remove_prefix(chunk.size());
    }
    out += "0\r\n\r\n";
}

std::string_view post_mix::any_accept()
{
    constexpr std::array<std::string_view, 5> all{"", takes_both, "Accept: application/json\r\n", "Accept: */*\r\n",
                                                  "Accept: text/event-stream\r\n"};
    return all[random(all.size())];
}

} // namespace partyline::test
