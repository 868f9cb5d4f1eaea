#include "gateway_log.hpp"

#include "support/readiness.hpp"

#include <stdexcept>
#include <string>

namespace partyline::test {

void read_log(line_reader& log)
{
    const auto look_at = [](std::string_view line) {
        if (line.find("Sanitizer") != line.npos || line.find("runtime error") != line.npos)
            throw std::runtime_error("the gateway has logged: " + std::string(line));
    };
    log.read_lines(look_at, [&] { return !is_ready(log.fd(), POLLIN, std::chrono::milliseconds(0)); });
}

} // namespace partyline::test
