#include "command_line/access_log.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace command_line {

std::function<void(std::string_view)> make_access_log(const std::string& path)
{
    std::shared_ptr<std::FILE> file(stderr, [](std::FILE*) {});
    if (path != "-") {
        std::FILE* const opened = std::fopen(path.c_str(), "ae");
        if (!opened)
            throw std::runtime_error("cannot write to " + path + ": " + std::generic_category().message(errno));
        file.reset(opened, [](std::FILE* one) { std::fclose(one); });
    }
    return [file](std::string_view line) {
        std::fwrite(line.data(), 1, line.size(), file.get());
        std::fputc('\n', file.get());
        std::fflush(file.get());
    };
}

} // namespace command_line
