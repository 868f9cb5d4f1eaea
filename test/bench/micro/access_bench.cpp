// Authorization, and the memory that known peers take.

#include "access/rules/view_book.hpp"
#include "session/conversation.hpp"
#include "support/access_fixture.hpp"

#include <partyline/mcp/server.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

namespace {

using namespace partyline;

constexpr std::size_t tool_count = 2'000;

std::string tool_name(std::size_t number)
{
    return "read_item_" + std::to_string(number);
}

access::view_book book_of_tools()
{
    access::rule all;
    for (std::size_t i = 0; i < tool_count; ++i)
        all.tools.push_back({tool_name(i)});
    all.scopes = {"files:read"};
    return access::view_book({std::move(all)});
}

std::shared_ptr<const access_view> view_of_tools()
{
    return book_of_tools().find("alice", {"files:read"});
}

void verdict_of_2000_tools(benchmark::State& state)
{
    const std::shared_ptr<const access_view> view = view_of_tools();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tool_count; ++i)
        names.push_back(tool_name(i));
    std::size_t next = 0;
    for (auto _ : state)
        if (view->judge("tools/call", names[next++ % tool_count]).is != access_answer::allowed)
            state.SkipWithError("not allowed");
}

class no_driver final : public conversation::host {
public:
    void flush() override {}
    void resume_reading() override {}
    void on_end(error_code) noexcept override {}
};

// Of a client of 2026-07-28.
std::vector<std::string> calls_of_tools()
{
    const std::string meta = R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0"},)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}})";
    std::vector<std::string> all;
    for (std::size_t i = 0; i < tool_count; ++i)
        all.push_back(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool_name(i) +
                      R"(","arguments":{},"_meta":)" + meta + "}}\n");
    return all;
}

// From the bytes of a request to those of its reply; what a view costs with its admission is the difference.
void call_of_2000_tools(benchmark::State& state, bool is_judged)
{
    boost::asio::io_context context;
    mcp::server server("bench", "1.0");
    for (std::size_t i = 0; i < tool_count; ++i)
        server.add_tool(tool_name(i), "Returns a word.", [] { return std::string("done"); });
    session_options options;
    options.access = is_judged ? view_of_tools() : nullptr;
    server.prepare(options);
    const auto served = std::make_shared<conversation>(context.get_executor(), server.methods(), options,
                                                       make_framing(framing_kind::lines, options.bounds));
    no_driver driver;
    served->attach(driver);
    const std::vector<std::string> calls = calls_of_tools();
    std::size_t next = 0;
    for (auto _ : state) {
        const std::string& call = calls[next++ % tool_count];
        std::memcpy(served->frames().prepare().data(), call.data(), call.size());
        served->frames().commit(call.size());
        served->drive();
        const std::string_view reply = served->out().unsent();
        if (reply.find("\"result\"") == reply.npos)
            state.SkipWithError("no result");
        served->out().sent(reply.size());
    }
    served->stop(boost::asio::error::operation_aborted, {});
    context.poll();
    served->detach();
}

std::size_t allocated_bytes()
{
    const struct mallinfo2 now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

// As issuers' tokens are: each of a peer with scopes.
class vouching final : public access::authenticator {
public:
    std::optional<peer_identity> check(std::string_view token, std::chrono::system_clock::time_point) noexcept override
    {
        peer_identity known;
        known.principal = token;
        known.source = "keys";
        known.scopes = {"files:read"};
        return known;
    }
};

void memory_of_a_known_token(benchmark::State& state)
{
    constexpr std::size_t count = 10'000;
    const test::access_fixture files;
    files.write(R"({"rules":[{"methods":["echo"],"scopes":["files:read"]}]})");
    const auto now = std::chrono::system_clock::now();
    for (auto _ : state) {
        access::gate known(files.path());
        known.add(std::make_shared<vouching>());
        const std::size_t before = allocated_bytes();
        for (std::size_t i = 0; i < count; ++i)
            if (!known.authenticate({}, "Bearer k" + std::to_string(i), now).grant)
                state.SkipWithError("not admitted");
        state.counters["bytes"] = static_cast<double>(allocated_bytes() - before) / count;
    }
}

void memory_of_a_view_of_2000_tools(benchmark::State& state)
{
    for (auto _ : state) {
        access::view_book book = book_of_tools();
        const std::size_t before = allocated_bytes();
        benchmark::DoNotOptimize(book.find("alice", {"files:read"}));
        state.counters["bytes"] = static_cast<double>(allocated_bytes() - before);
    }
}

} // namespace

BENCHMARK(verdict_of_2000_tools);
BENCHMARK_CAPTURE(call_of_2000_tools, without_a_view, false);
BENCHMARK_CAPTURE(call_of_2000_tools, with_a_view, true);
BENCHMARK(memory_of_a_known_token)->Iterations(3);
BENCHMARK(memory_of_a_view_of_2000_tools);
