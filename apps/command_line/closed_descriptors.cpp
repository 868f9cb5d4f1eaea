#include "command_line/closed_descriptors.hpp"

#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace command_line {

void occupy_closed_descriptors()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

} // namespace command_line
