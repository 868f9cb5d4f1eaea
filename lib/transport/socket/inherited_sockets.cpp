#include "transport/socket/inherited_sockets.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace partyline {
namespace {

constexpr int first_descriptor = 3; // SD_LISTEN_FDS_START
constexpr long most_descriptors = 1024;

std::optional<long> read_number(const char* text)
{
    if (!text)
        return std::nullopt;
    const std::string_view digits = text;
    long number = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failed != std::errc() || end != digits.data() + digits.size() || number < 0)
        return std::nullopt;
    return number;
}

} // namespace

std::vector<int> inherited_sockets(::pid_t own, const char* listen_pid, const char* listen_fds)
{
    const std::optional<long> meant = read_number(listen_pid);
    const std::optional<long> count = read_number(listen_fds);
    std::vector<int> found;
    if (meant != own || !count || *count > most_descriptors)
        return found;
    for (int i = 0; i < *count; ++i)
        found.push_back(first_descriptor + i);
    return found;
}

} // namespace partyline
