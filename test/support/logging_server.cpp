// A server on standard input and output with a log of its own: logging_server FIFO
// At the end of its session it logs more than the FIFO has room for, and then makes that larger. When run_stdio
// returns, the process ends at once, as by a signal that nobody takes any more.

#include "session/line_output.hpp"

#include <partyline/partyline.hpp>

#include <cstdlib>
#include <string>

#include <fcntl.h>

namespace {

void log_much(partyline::line_output& log)
{
    const int lines = 100;
    for (int i = 0; i < lines; ++i)
        log.write(std::string(1023, 'x') + '\n');
}

void make_room(const char* fifo)
{
    constexpr int enough = 1 << 18;
    if (::fcntl(::open(fifo, O_WRONLY | O_CLOEXEC), F_SETPIPE_SZ, enough) < 0)
        std::abort();
}

} // namespace

int main(int, char** argv)
{
    const auto log = partyline::open_line_output(argv[1]);
    partyline::stdio_options how;
    how.on_session_end = [&](const partyline::session_counters&) {
        log_much(*log);
        make_room(argv[1]);
    };
    std::_Exit(partyline::run_stdio(partyline::method_table(), std::move(how)));
}
