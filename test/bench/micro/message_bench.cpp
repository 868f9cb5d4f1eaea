// Taking messages apart.

#include <partyline/protocol/message.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

namespace {

using partyline::message;

// About 1 KiB of what requests carry.
const std::string large_params = [] {
    std::string text = R"({"items":[)";
    for (int i = 0; i < 16; ++i)
        text += R"({"name":"item )" + std::to_string(i) + R"(","size":[1,2.5,-3e4],"is_new":true},)";
    text.back() = ']';
    return text + '}';
}();

const std::string small_request = R"({"jsonrpc":"2.0","id":12345,"method":"echo","params":["0123456789ab"]})";
const std::string notification = R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}})";
const std::string large_request = R"({"jsonrpc":"2.0","id":12345,"method":"echo","params":)" + large_params + "}";
const std::string large_request_id_last =
    R"({"jsonrpc":"2.0","method":"echo","params":)" + large_params + R"(,"id":12345})";

void read_message(benchmark::State& state, const std::string& text, partyline::message_type expected)
{
    partyline::message_reader reader{partyline::limits()};
    for (auto _ : state) {
        if (reader.read(text).type != expected)
            state.SkipWithError("read as something else");
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

// The whole batch once, and each element once more.
void read_batch(benchmark::State& state, std::size_t elements)
{
    std::string text = "[";
    for (std::size_t i = 0; i < elements; ++i)
        text += small_request + ',';
    text.back() = ']';
    partyline::message_reader reader{partyline::limits()};
    for (auto _ : state) {
        std::size_t requests = 0;
        reader.read(text);
        for (const std::string_view element : reader.elements())
            requests += reader.read_element(element).type == partyline::message_type::request;
        if (requests != elements)
            state.SkipWithError("elements are missing");
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * elements));
}

} // namespace

BENCHMARK_CAPTURE(read_message, small_request, small_request, partyline::message_type::request);
BENCHMARK_CAPTURE(read_message, notification, notification, partyline::message_type::notification);
BENCHMARK_CAPTURE(read_message, large_params, large_request, partyline::message_type::request);
BENCHMARK_CAPTURE(read_message, large_params_id_last, large_request_id_last, partyline::message_type::request);
BENCHMARK_CAPTURE(read_batch, of_100, 100);
