#include "content.hpp"

#include "bench/servers/work.hpp"

#include <utility>

namespace bench {
namespace {

constexpr std::size_t short_text = 16;

void append_string(random_source& random, std::string& out, std::size_t bytes)
{
    out.push_back('"');
    random.append_text(out, bytes);
    out.push_back('"');
}

} // namespace

content text_of(std::size_t bytes)
{
    return [bytes](random_source& random, std::string& params, std::string&) {
        params += "{\"text\":";
        append_string(random, params, bytes);
        params += "}";
    };
}

content two_numbers()
{
    return [](random_source& random, std::string& params, std::string& result) {
        const std::uint64_t a = random.below(1000000);
        const std::uint64_t b = random.below(1000000);
        params += "{\"a\":" + std::to_string(a) + ",\"b\":" + std::to_string(b) + "}";
        result += std::to_string(a + b);
    };
}

content description()
{
    return [](random_source& random, std::string& params, std::string&) {
        params += "{\"name\":";
        append_string(random, params, short_text);
        params += ",\"tags\":[";
        append_string(random, params, 4);
        params += ",";
        append_string(random, params, 8);
        params += "],\"size\":{\"w\":" + std::to_string(random.below(10000)) +
                  ",\"h\":" + std::to_string(random.below(10000)) + "}}";
    };
}

content delay_of(std::chrono::milliseconds time)
{
    return [time](random_source& random, std::string& params, std::string&) {
        params += "{\"ms\":" + std::to_string(time.count()) + ",\"text\":";
        append_string(random, params, short_text);
        params += "}";
    };
}

content nothing_for(std::string result)
{
    return [result](random_source&, std::string& params, std::string& expected) {
        params += "{}";
        expected += result;
    };
}

content progress_of(std::size_t count)
{
    return [count](random_source& random, std::string& params, std::string& result) {
        params += "{\"count\":" + std::to_string(count) + ",\"workDoneToken\":";
        append_string(random, params, short_text);
        params += "}";
        result += "{\"count\":" + std::to_string(count) + "}";
    };
}

content notifications_of(std::size_t count)
{
    return [count](random_source&, std::string& params, std::string&) {
        params += "{\"count\":" + std::to_string(count) + "}";
    };
}

content sessions_of(std::string kind, std::size_t count)
{
    return [kind = std::move(kind), count](random_source&, std::string& params, std::string& result) {
        params += R"({"kind":")" + kind + R"(","count":)" + std::to_string(count) + "}";
        result += std::to_string(count);
    };
}

content work_of(std::uint32_t rounds)
{
    return [rounds](random_source& random, std::string& params, std::string& result) {
        const auto seed = static_cast<std::uint32_t>(random.below(1000000));
        params += "{\"rounds\":" + std::to_string(rounds) + ",\"seed\":" + std::to_string(seed) + "}";
        result += "\"" + work(rounds, seed) + "\"";
    };
}

} // namespace bench
