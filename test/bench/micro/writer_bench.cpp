// Writing replies.

#include <partyline/protocol/writer.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

namespace {

namespace json = boost::json;

constexpr std::size_t depth = 128;

json::value small()
{
    return json::array{"0123456789ab"};
}

// About 1 KiB of text.
json::value large()
{
    json::array items;
    for (int i = 0; i < 16; ++i)
        items.push_back({{"name", "item " + std::to_string(i)}, {"size", {1, 20, -300}}, {"is_new", true}});
    return json::object{{"items", std::move(items)}};
}

json::value strings_with_escapes()
{
    return json::array(16, json::value("C:\\a path\n\"quoted\"\tand \u00fc\u20ac\x01 more text that needs nothing"));
}

json::value doubles()
{
    json::array numbers;
    for (int i = 0; i < 64; ++i)
        numbers.push_back((i - 32) * 0.1234567890123);
    return numbers;
}

// Read by the library's own reader: Boost.JSON 1.81 takes some doubles for their neighbours.
bool comes_back(const json::value& value)
{
    partyline::byte_buffer text;
    if (partyline::write_value(text, value, depth))
        return false;
    const std::size_t size = text.size();
    text.push_back('\0');
    return partyline::json_view::checked(text.view().substr(0, size)).to_value() == value;
}

void write_reply(benchmark::State& state, json::value (*make)())
{
    const json::value result = make();
    if (!comes_back(result))
        state.SkipWithError("written as something else");
    partyline::byte_buffer out;
    for (auto _ : state) {
        out.clear();
        partyline::write_reply_head(out, "12345");
        partyline::write_value(out, result, depth);
        partyline::write_tail(out);
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * out.size()));
}

} // namespace

BENCHMARK_CAPTURE(write_reply, small, small);
BENCHMARK_CAPTURE(write_reply, large, large);
BENCHMARK_CAPTURE(write_reply, strings_with_escapes, strings_with_escapes);
BENCHMARK_CAPTURE(write_reply, doubles, doubles);
