#pragma once

#include "support/descriptors.hpp"
#include "tools/folders.hpp"
#include "tools/run_task.hpp"

#include <fcntl.h>
#include <tools/commands/command_runner.hpp>

namespace tools::test {

/// Runs what a shell is told, in a folder.
struct command_fixture : folders {
    command shell(std::string script) const { return {"/bin/sh", {"sh", "-c", std::move(script)}, folder.get()}; }
    command_result run(std::string script, command_limits limits = {})
    {
        return run_task(run_command(shell(std::move(script)), limits, told()));
    }
    output_lines::line_hook told()
    {
        return [this](std::string_view line) { lines += std::string(line) + "|"; };
    }

    partyline::test::unique_fd folder = partyline::test::open_file(root, O_RDONLY | O_DIRECTORY);
    std::string lines;
};

} // namespace tools::test
