#include "mcp_extensions/tasks/task_texts.hpp"

#include <partyline/session/log.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include <openssl/rand.h>

namespace json = boost::json;

namespace partyline::mcp {

std::string make_task_id()
{
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::size_t count = 24;
    std::array<unsigned char, count> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(count)) != 1)
        throw std::runtime_error("the system has no random numbers for the id of a task");
    std::string text;
    for (const unsigned byte : bytes) {
        text += digits[byte / digits.size()];
        text += digits[byte % digits.size()];
    }
    return text;
}

std::string iso_time(std::chrono::system_clock::time_point when)
{
    const auto since = std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    const std::time_t time = seconds.count();
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::array<char, 40> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text.data() + length, text.size() - length, ".%03dZ", static_cast<int>((since - seconds).count()));
    return text.data();
}

std::string shortened(std::string_view message)
{
    constexpr std::size_t longest = 1024;
    if (message.size() <= longest)
        return std::string(message);
    std::size_t end = longest;
    while (end != 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) // within a character of UTF-8
        --end;
    return std::string(message.substr(0, end));
}

std::string error_text(const std::optional<error_object>& error)
{
    if (!error)
        return error_text(error_object{partyline::error_codes::internal_error, "Internal error", {}});
    json::object all{{"code", error->code}, {"message", error->message}};
    if (error->data)
        all["data"] = *error->data;
    return json::serialize(all);
}

std::string quoted_text(std::string_view text)
{
    return json::serialize(json::string(text));
}

void log_lost_task(const std::function<void(std::string_view)>& log, std::string_view tool, std::string_view what,
                   std::string_view cause) noexcept
{
    constexpr std::size_t longest = 1024;
    try {
        std::string line = "a task of the tool \"" + std::string(tool.substr(0, longest)) + "\" has failed: ";
        write_log(log, line.append(what).append(": ").append(cause));
    } catch (...) { // no memory
    }
}

} // namespace partyline::mcp
