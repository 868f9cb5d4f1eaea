#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace partyline::test {

// Lines for the sample server, with their newlines: what many tests send in numbers.

inline std::string request(std::uint64_t id, std::string_view method, std::string_view params)
{
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
           R"(","params":)" + std::string(params) + "}\n";
}

inline std::string notification(std::string_view method, std::string_view params)
{
    return R"({"jsonrpc":"2.0","method":")" + std::string(method) + R"(","params":)" + std::string(params) + "}\n";
}

inline std::string echo_request(std::uint64_t id)
{
    return request(id, "echo", "[" + std::to_string(id) + "]");
}

/// The reply to `echo_request`, without a newline.
inline std::string echo_reply(std::uint64_t id)
{
    const std::string number = std::to_string(id);
    return R"({"jsonrpc":"2.0","id":)" + number + R"(,"result":[)" + number + "]}";
}

/// One that ends only when it is cancelled.
inline std::string endless_request(std::uint64_t id)
{
    return request(id, "delay", R"({"ms":600000})");
}

inline std::string cancel_of(std::uint64_t id)
{
    return notification("$/cancelRequest", R"({"id":)" + std::to_string(id) + "}");
}

/// That many arrays, one in another.
inline std::string nested(std::size_t depth)
{
    return std::string(depth, '[') + std::string(depth, ']');
}

/// `make(first)`, `make(first + 1)`, ..., `count` of them.
template <class Make>
std::string numbered(std::uint64_t first, std::uint64_t count, Make make)
{
    std::string text;
    for (std::uint64_t id = first; id != first + count; ++id)
        text += make(id);
    return text;
}

} // namespace partyline::test
