#include "command_line/trace.hpp"

#include <partyline/protocol/printable.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace command_line {
namespace {

using partyline::message_event;

// 2026-01-31T12:00:00.123456Z
void print_time(std::FILE* file)
{
    const auto now = std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
    const auto micros = now.time_since_epoch().count();
    const std::time_t seconds = micros / 1000000;
    std::tm parts;
    gmtime_r(&seconds, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    std::fprintf(file, "%s.%06ldZ", text, static_cast<long>(micros % 1000000));
}

// What a peer sends must not break a line into two, nor command the terminal of who looks at the file.
void print_text(std::FILE* file, std::string_view text)
{
    const std::string shown = partyline::printable(text);
    std::fwrite(shown.data(), 1, shown.size(), file);
}

void print_field(std::FILE* file, const char* name, std::string_view value)
{
    if (value.empty())
        return;
    std::fprintf(file, " %s=", name);
    print_text(file, value);
}

// False, with `errno`, when not all of it could be written.
bool print_event(std::FILE* file, const message_event& event)
{
    print_time(file);
    std::fputs(event.direction == partyline::message_direction::in ? " in " : " out", file);
    if (event.is_element)
        std::fputs(" element", file);
    print_field(file, "id", event.id);
    print_field(file, "method", event.method);
    if (event.latency)
        std::fprintf(file, " latency=%.6f", std::chrono::duration<double>(*event.latency).count());
    if (!event.is_element) { // its text is in that of its batch
        std::fputc(' ', file);
        print_text(file, event.text);
    }
    std::fputc('\n', file);
    return std::fflush(file) == 0 && !std::ferror(file);
}

} // namespace

partyline::message_hook trace_to_file(const std::string& path, std::function<void(std::string_view)> say)
{
    std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "a"), [](std::FILE* open) {
        if (open)
            std::fclose(open);
    });
    if (!file)
        throw std::system_error(errno, std::generic_category(), "--trace " + path);
    // Shared by the copies of the hook, which the sessions of a server have, each on a thread of its own perhaps.
    const auto has_failed = std::make_shared<std::atomic<bool>>(false);
    return [file, has_failed, path, say = std::move(say)](const message_event& event) {
        if (!print_event(file.get(), event) && !has_failed->exchange(true))
            say("--trace " + path + ": " + std::generic_category().message(errno));
        return std::nullopt;
    };
}

} // namespace command_line
