#include "run_tool.hpp"

#include "tool_error.hpp"
#include "tools/commands/command_runner.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tools {
namespace {

place folder_of(const root_set& roots, const run_arguments& what)
{
    return what.root ? roots.find(*what.root) : place{&roots.at(0), ""};
}

command_limits limits_of(const tool_limits& all, const run_arguments& what)
{
    command_limits limits = all.command;
    limits.output_bytes = all.text_bytes;
    if (!what.timeout_seconds)
        return limits;
    const std::chrono::duration<double> wanted(*what.timeout_seconds);
    if (!(wanted.count() > 0))
        throw tool_error("timeout_seconds is " + std::to_string(wanted.count()) + ", expected more than 0");
    if (wanted < limits.time)
        limits.time = std::chrono::ceil<std::chrono::steady_clock::duration>(wanted);
    return limits;
}

} // namespace

partyline::task<run_result> run_tool(const root_set& roots, const command_list& allowed, const tool_limits& limits,
                                     run_arguments what, tool_progress& progress)
{
    command call;
    call.program = allowed.program(what.command);
    call.words = std::move(what.arguments);
    call.words.insert(call.words.begin(), what.command);
    const place where = folder_of(roots, what);
    const descriptor folder = where.root->open_folder(where.path);
    call.folder = folder.get();
    double lines = 0;
    output_lines::line_hook tell = [&](std::string_view line) {
        progress.report(++lines, std::nullopt, std::string(line));
    };
    const command_limits its_limits = limits_of(limits, what);
    command_result ended = co_await run_command(std::move(call), its_limits, std::move(tell));
    run_result result;
    result.exit_code = ended.end.exit_code;
    result.signal = ended.end.signal;
    result.output = std::move(ended.output);
    result.truncated = ended.bytes_left_out > 0;
    result.timed_out = ended.has_timed_out;
    co_return result;
}

} // namespace tools
