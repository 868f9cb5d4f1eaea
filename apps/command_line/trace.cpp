#include "command_line/trace.hpp"

#include "command_line/line_log.hpp"
#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace command_line {
namespace {

using partyline::message_event;

// 2026-01-31T12:00:00.123456Z
std::string time_text()
{
    const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    const auto micros = now.time_since_epoch().count();
    const std::time_t seconds = micros / 1000000;
    std::tm parts;
    gmtime_r(&seconds, &parts);
    char day_and_time[32];
    std::strftime(day_and_time, sizeof day_and_time, "%Y-%m-%dT%H:%M:%S", &parts);
    char text[48];
    std::snprintf(text, sizeof text, "%s.%06ldZ", day_and_time, static_cast<long>(micros % 1000000));
    return text;
}

// What a peer sends must not break a line into two, nor command the terminal of who looks at the file.
void add_field(std::string& line, const char* name, std::string_view value)
{
    if (!value.empty())
        line.append(" ").append(name).append("=").append(partyline::printable(value));
}

std::string line_of(const message_event& event)
{
    std::string line = time_text();
    line += event.direction == partyline::message_direction::in ? " in " : " out";
    if (event.is_element)
        line += " element";
    add_field(line, "id", event.id);
    add_field(line, "method", event.method);
    if (event.latency) {
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.6f", std::chrono::duration<double>(*event.latency).count());
        add_field(line, "latency", seconds);
    }
    if (!event.is_element) // its text is in that of its batch
        line.append(" ").append(partyline::printable(partyline::without_proofs(event.text)));
    return line;
}

line_log open_trace(const std::string& path, line_log tell)
try {
    return open_line_log("--trace", path, std::move(tell));
} catch (const std::system_error& e) {
    throw std::system_error(e.code(), "--trace " + path);
}

} // namespace

partyline::message_hook trace_to_file(const std::string& path, std::function<void(std::string_view)> say)
{
    return [write = open_trace(path, std::move(say))](const message_event& event) {
        write(line_of(event));
        return std::nullopt;
    };
}

} // namespace command_line
