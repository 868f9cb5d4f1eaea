#pragma once

#include <string>
#include <system_error>

namespace gateway {

/// Why a program can't be started, as far as that is known before it is; no error where it can. Without a slash it is
/// looked for in PATH, as `partyline::child_process` does.
std::error_code check_program(const std::string& program);

} // namespace gateway
