#pragma once

#include <string>
#include <vector>

namespace bench::test {

/// What the program said and how it ended.
struct outcome {
    int code;
    std::string out;
    std::string err;
};

/// Runs partyline-bench to its end.
outcome run_bench(const std::vector<std::string>& options);

} // namespace bench::test
