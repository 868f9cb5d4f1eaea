#include "command_line/token_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace command_line {
namespace {

constexpr std::size_t longest_token = 8192;

class open_file {
public:
    explicit open_file(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    int get() const noexcept { return descriptor_; }

private:
    int descriptor_;
};

[[noreturn]] void refuse(const std::string& file, const std::string& why)
{
    throw std::runtime_error("the token file " + file + ": " + why);
}

[[noreturn]] void fail(const std::string& file)
{
    refuse(file, std::generic_category().message(errno));
}

// Of the descriptor: what is checked is what is read.
void check_owner(const std::string& file, int descriptor)
{
    struct stat found = {};
    if (::fstat(descriptor, &found) != 0)
        fail(file);
    if (!S_ISREG(found.st_mode) && !S_ISFIFO(found.st_mode))
        refuse(file, "it is no file");
    if (found.st_uid != ::geteuid() && found.st_uid != 0)
        refuse(file, "it belongs to another user");
    if (found.st_mode & (S_IRWXG | S_IRWXO))
        refuse(file, "others may read or write it: chmod 600 " + file);
}

// Up to the end of the first line, and no more than makes clear that it is too long.
std::string read_line(const std::string& file, int descriptor)
{
    std::string text;
    std::array<char, 1024> part;
    while (text.find('\n') == text.npos && text.size() <= longest_token + 2) {
        const ssize_t count = ::read(descriptor, part.data(), part.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(file);
        if (count == 0)
            break;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.ends_with('\r'))
        text.pop_back();
    return text;
}

// RFC 6750, 2.1: b64token
bool is_token_char(char c) noexcept
{
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

} // namespace

std::string read_token(const std::string& file)
{
    const open_file opened(file);
    if (opened.get() < 0)
        fail(file);
    check_owner(file, opened.get());
    std::string token = read_line(file, opened.get());
    if (token.empty())
        refuse(file, "its first line is empty");
    if (token.size() > longest_token)
        refuse(file, "its first line is longer than " + std::to_string(longest_token) + " characters");
    const auto wrong = std::ranges::find_if_not(token, is_token_char);
    if (wrong != token.end())
        refuse(file, "its first line is no Bearer token: character " + std::to_string(wrong - token.begin() + 1) +
                         " is none of A-Z a-z 0-9 - . _ ~ + / =");
    return token;
}

} // namespace command_line
