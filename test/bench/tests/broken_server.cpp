// A server for the tests of partyline-bench: it echoes, and breaks in the way that its first argument names when it has
// answered as many requests as the second says.

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include <signal.h>
#include <unistd.h>

namespace {

bool has_headers = false;

void say(const std::string& message)
{
    if (has_headers)
        std::cout << "Content-Length: " << message.size() << "\r\n\r\n" << message << std::flush;
    else
        std::cout << message << '\n' << std::flush;
}

bool hear(std::string& message)
{
    if (!std::getline(std::cin, message) || !has_headers)
        return !message.empty();
    const auto size = std::stoul(message.substr(message.find(':') + 1));
    std::string rest(size + 2, ' ');
    std::cin.read(rest.data(), static_cast<std::streamsize>(rest.size()));
    message = rest.substr(2);
    return true;
}

// What stands between two marks; the driver's requests are what they are.
std::string between(const std::string& text, const std::string& begin, const std::string& end)
{
    const auto from = text.find(begin) + begin.size();
    return text.substr(from, text.find(end, from) - from);
}

std::string reply(const std::string& id, const std::string& member)
{
    return R"({"jsonrpc":"2.0","id":)" + id + "," + member + "}";
}

[[noreturn]] void wait_for_ever()
{
    for (;;)
        ::pause();
}

[[noreturn]] void talk_without_end()
{
    for (;;)
        std::cout << "bla bla bla bla bla bla bla bla bla bla bla bla bla bla bla bla";
}

void flood_errors()
{
    for (int i = 0; i < 20000; ++i)
        std::fprintf(stderr, "line %d of what nobody wants to know\n", i);
}

// What it does in place of the right answer.
void misbehave(const std::string& how, const std::string& id, const std::string& params)
{
    const std::string right = reply(id, "\"result\":" + params);
    const std::map<std::string, std::string> instead = {
        {"lose", ""},
        {"twice", right + "\n" + right},
        {"wrong", reply(id, R"("result":{"text":"something else"})")},
        {"error", reply(id, R"("error":{"code":-1,"message":"no"})")},
        {"wrong-id", reply("999999999", "\"result\":" + params)},
        {"no-id", R"({"jsonrpc":"2.0","id":null,"result":1})"},
        {"rubbish", "Segmentation fault (core dumped)"},
        {"cut", right.substr(0, right.size() - 1)},
        {"no-object", "[1,2,3]"},
        {"no-version", "{\"id\":" + id + ",\"result\":" + params + "}"},
    };
    if (instead.contains(how)) {
        if (!instead.at(how).empty())
            say(instead.at(how));
    } else if (how == "exit") {
        std::fputs("out of ideas\n", stderr);
        std::exit(3);
    } else if (how == "abort") {
        ::raise(SIGKILL);
    } else if (how == "hang") {
        wait_for_ever();
    } else if (how == "close-output") {
        ::close(1);
        wait_for_ever();
    } else if (how == "close-input") {
        ::close(0);
        wait_for_ever();
    } else if (how == "talk") {
        talk_without_end();
    } else {
        if (how == "flood")
            flood_errors();
        say(right);
    }
}

int end(const std::string& how)
{
    if (how == "last-word")
        say("good bye");
    if (how == "half-word")
        std::cout << "good" << std::flush;
    if (how == "stay")
        wait_for_ever();
    return how == "bad-end" ? 5 : 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string how = argc > 1 ? argv[1] : "";
    long good = argc > 2 ? std::atol(argv[2]) : 0;
    has_headers = how == "headers";
    for (std::string message; hear(message); --good) {
        const std::string id = between(message, "\"id\":", ",");
        const std::string params = between(message, "\"params\":", "}") + "}";
        if (good != 0)
            say(reply(id, "\"result\":" + params));
        else
            misbehave(how, id, params);
    }
    return end(how);
}
