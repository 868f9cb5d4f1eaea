#include "bench_program.hpp"

#include "support/child_process.hpp"
#include "support/descriptors.hpp"
#include "support/line_reader.hpp"
#include "support/readiness.hpp"

#include <chrono>
#include <utility>

#include <fcntl.h>
#include <poll.h>

namespace bench::test {

outcome run_bench(const std::vector<std::string>& options)
{
    using namespace partyline::test;
    using namespace std::chrono_literals;
    const unique_fd nothing = open_file("/dev/null", O_RDONLY);
    const unique_fd errors = make_memory_file();
    pipe_ends output = make_pipe();
    child_process program(PARTYLINE_BENCH, options, {nothing.get(), output.write.get(), errors.get()});
    output.write.reset();
    is_ready(output.read.get(), POLLIN, 1min); // it prints when all is measured, which takes its time on a busy machine
    std::string said = line_reader(std::move(output.read)).read_rest();
    const int code = program.wait_exit();
    return {code, std::move(said), read_whole(errors.get())};
}

} // namespace bench::test
