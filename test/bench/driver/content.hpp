#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace bench {

/// Numbers and text that follow from a seed (splitmix64: fast enough for texts of 64 MiB).
class random_source {
public:
    explicit random_source(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() noexcept
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    /// From 0 to `limit` - 1.
    std::uint64_t below(std::uint64_t limit) noexcept { return next() % limit; }

    /// Appends `size` characters that JSON writes as they are.
    void append_text(std::string& out, std::size_t size)
    {
        constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        constexpr std::size_t characters_a_number = 10; // of 6 bits each
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < size; ++i) {
            bits = i % characters_a_number == 0 ? next() : bits >> 6;
            out.push_back(alphabet[bits & 63]);
        }
    }

private:
    std::uint64_t state_;
};

/// Appends the params of one request, and the result that has to come back; none when that is the params again.
using content = std::function<void(random_source&, std::string& params, std::string& result)>;

/// `{"text":"..."}` with a text of so many bytes.
content text_of(std::size_t bytes);
/// `{"a":1,"b":2}`, whose result is the sum.
content two_numbers();
/// `{"name":"...","tags":["..."],"size":{"w":1,"h":2}}`, which is its own result.
content description();
/// `{"ms":10,"text":"..."}`, which comes back after that time.
content delay_of(std::chrono::milliseconds time);
/// Params that are the same each time, as their result is.
content fixed(std::string params, std::string result);
/// `{"count":1000,"workDoneToken":"..."}`: so much progress comes before the result, `{"count":1000}`.
content progress_of(std::size_t count);
/// `{"count":1000}`: so many notifications come before the result, which is the same again.
content notifications_of(std::size_t count);
/// `{"rounds":1000,"seed":1}`, whose result takes the server some work.
content work_of(std::uint32_t rounds);

/// What is said over the wire: methods of any name, or MCP, by a client that begins with a handshake or by one that
/// says who it is with each request.
enum class protocol { json_rpc, mcp_handshake, mcp_stateless };

/// `tools/call` of the tool `echo` with a text of so many bytes; the result is what the tool makes: `{"text":"..."}`.
content tool_call(protocol spoken, std::size_t bytes);
/// `tools/list`; the result is how many tools there are.
content tool_list(protocol spoken, std::size_t count);

/// How a client with a handshake begins: by a request, whose reply has to be `is_greeting`, and a notification.
struct handshake {
    static constexpr std::string_view request =
        R"({"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25",)"
        R"("capabilities":{},"clientInfo":{"name":"partyline-bench","version":"1.0"}}})";
    static constexpr std::string_view notification = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
};
bool is_greeting(std::string_view reply);

} // namespace bench
