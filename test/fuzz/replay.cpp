// Stands in for libFuzzer where there is none: runs a target once for each file of the folders it is given.

#include "fuzz/fuzz_input.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

namespace {

std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// In memory of just the input's size, so that a sanitizer sees a byte read too many.
void replay(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    std::cout << file.filename().string() << std::endl; // at once: it may be the last
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

int main(int count, char** arguments)
try {
    std::size_t replayed = 0;
    for (int i = 1; i < count; ++i) {
        for (const auto& file : files_under(arguments[i])) {
            replay(file);
            ++replayed;
        }
    }
    std::cout << replayed << " inputs replayed" << std::endl;
    return replayed > 0 ? 0 : 1; // a corpus that is not found is a fault
} catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return 1;
}
