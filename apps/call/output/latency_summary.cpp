#include "latency_summary.hpp"

#include "command_line/percentile.hpp"

#include <algorithm>
#include <cstdio>

namespace call {
namespace {

std::string per_second(std::size_t count, duration total)
{
    const double seconds = std::chrono::duration<double>(total).count();
    char text[48];
    std::snprintf(text, sizeof text, "%.0f", seconds > 0 ? static_cast<double>(count) / seconds : 0);
    return text;
}

std::string counted(std::size_t count, const std::string& what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

} // namespace

void latency_summary::add_error_reply(duration latency)
{
    add_result(latency);
    ++error_replies_;
}

std::string latency_summary::to_text(duration total) const
{
    const std::size_t count = answered_.size() + failures_;
    std::string text = counted(count, "call") + " in " + call::to_text(total) + ", " +
                       per_second(answered_.size(), total) + " calls/s, " + counted(error_replies_, "error");
    if (failures_ != 0)
        text += ", " + std::to_string(failures_) + " failed";
    if (answered_.empty())
        return text;

    std::vector<duration> sorted = answered_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double percent) { return call::to_text(command_line::percentile(sorted, percent)); };
    return text + "\nlatency: min " + at(0) + ", p50 " + at(50) + ", p90 " + at(90) + ", p99 " + at(99) + ", max " +
           at(100);
}

} // namespace call
