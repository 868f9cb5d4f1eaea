#include "access/file/trusted_file.hpp"

#include "access/file/place.hpp"
#include "session/owned_descriptor.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partyline::access {
namespace {

std::string reason_of(int error)
{
    return std::generic_category().message(error);
}

// Returns whether nobody else can read it. Everything is asked of the descriptor: the name may stand for another file a
// moment later.
bool check(int file, std::size_t max_bytes)
{
    struct ::stat found = {};
    if (::fstat(file, &found) != 0)
        throw file_error(reason_of(errno));
    if (!S_ISREG(found.st_mode))
        throw file_error("it is no regular file");
    if (found.st_uid != ::geteuid() && found.st_uid != 0)
        throw file_error("it belongs to user " + std::to_string(found.st_uid) + ": chown it to root or to user " +
                         std::to_string(::geteuid()));
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        throw file_error("others can write to it: chmod go-w");
    if (found.st_size > static_cast<::off_t>(max_bytes))
        throw file_error("it has more than " + std::to_string(max_bytes) + " bytes");
    return (found.st_mode & (S_IRGRP | S_IROTH)) == 0;
}

} // namespace

trusted_text read_trusted_file(const std::string& path, std::size_t max_bytes)
{
    // O_NONBLOCK: a FIFO would keep it waiting for its writer.
    const owned_descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    if (!file)
        throw file_error(errno == ELOOP ? "it is a symbolic link, and links are not followed" : reason_of(errno));
    const bool is_private = check(file.get(), max_bytes);
    std::string text;
    char piece[4096];
    ::ssize_t count = 0;
    while (text.size() <= max_bytes && (count = ::read(file.get(), piece, sizeof piece)) != 0) {
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw file_error(reason_of(errno));
        text.append(piece, static_cast<std::size_t>(count));
    }
    if (text.size() > max_bytes) // it has grown
        throw file_error("it has more than " + std::to_string(max_bytes) + " bytes");
    return {std::move(text), is_private};
}

} // namespace partyline::access
