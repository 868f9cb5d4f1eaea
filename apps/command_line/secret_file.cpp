#include "command_line/secret_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace command_line {
namespace {

constexpr std::size_t longest_line = 8192;
constexpr std::size_t longest_key = 65536;

/// A file that holds a secret.
class secret_file {
public:
    /// `what` it is, for the texts: "the token file".
    secret_file(std::string what, const std::string& path)
        : path_(path), name_(std::move(what) + ' ' + path),
          descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY))
    {
        if (descriptor_ < 0)
            fail();
    }
    secret_file(const secret_file&) = delete;
    secret_file& operator=(const secret_file&) = delete;
    ~secret_file()
    {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    [[noreturn]] void refuse(const std::string& why) const { throw std::runtime_error(name_ + ": " + why); }
    [[noreturn]] void fail() const { refuse(std::generic_category().message(errno)); }

    // Of the descriptor: what is checked is what is read.
    void check_owner() const
    {
        struct stat found = {};
        if (::fstat(descriptor_, &found) != 0)
            fail();
        if (!S_ISREG(found.st_mode) && !S_ISFIFO(found.st_mode))
            refuse("it is no file");
        if (found.st_uid != ::geteuid() && found.st_uid != 0)
            refuse("it belongs to another user");
        const ::mode_t others = is_credential(found) ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
        if (found.st_mode & others)
            refuse("others may read or write it: chmod 600 " + path_);
    }

    // Up to this character, or to the end where there is none, and no more than makes clear that it is too long.
    std::string read(std::string_view end, std::size_t most) const
    {
        std::string text;
        std::array<char, 1024> part;
        while ((end.empty() || text.find(end) == text.npos) && text.size() <= most + 2) {
            const ssize_t count = ::read(descriptor_, part.data(), part.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                fail();
            if (count == 0)
                break;
            text.append(part.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

    std::string read_line() const
    {
        std::string text = read("\n", longest_line);
        text.resize(std::min(text.find('\n'), text.size()));
        if (text.ends_with('\r'))
            text.pop_back();
        if (text.empty())
            refuse("its first line is empty");
        if (text.size() > longest_line)
            refuse("its first line is longer than " + std::to_string(longest_line) + " characters");
        return text;
    }

private:
    // What systemd hands over (LoadCredential) is root's, with an ACL for one user, which shows as rights of the group.
    bool is_credential(const struct stat& found) const
    {
        const char* const folder = std::getenv("CREDENTIALS_DIRECTORY");
        return folder && *folder && found.st_uid == 0 && path_.starts_with(std::string(folder) + '/');
    }

    std::string path_;
    std::string name_;
    int descriptor_;
};

// RFC 6750, 2.1: b64token
bool is_token_char(char c) noexcept
{
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || std::string_view("-._~+/=").find(c) != std::string_view::npos;
}

// RFC 6749, A.2: VSCHAR
bool is_secret_char(char c) noexcept
{
    return c >= ' ' && c < 0x7f;
}

std::string character_at(std::size_t index)
{
    return "character " + std::to_string(index + 1);
}

std::string read_whole_key(const secret_file& file)
{
    file.check_owner();
    std::string key = file.read({}, longest_key);
    if (key.size() > longest_key)
        file.refuse("it is longer than " + std::to_string(longest_key) + " bytes");
    return key;
}

} // namespace

std::string read_token(const std::string& path)
{
    const secret_file file("the token file", path);
    file.check_owner();
    std::string token = file.read_line();
    const auto wrong = std::ranges::find_if_not(token, is_token_char);
    if (wrong != token.end())
        file.refuse(
            "its first line is no Bearer token: " + character_at(static_cast<std::size_t>(wrong - token.begin())) +
            " is none of A-Z a-z 0-9 - . _ ~ + / =");
    return token;
}

std::string read_secret(const std::string& path)
{
    const secret_file file("the file of the client's secret", path);
    file.check_owner();
    std::string secret = file.read_line();
    const auto wrong = std::ranges::find_if_not(secret, is_secret_char);
    if (wrong != secret.end())
        file.refuse("its first line is no secret: " + character_at(static_cast<std::size_t>(wrong - secret.begin())) +
                    " is not printable");
    return secret;
}

std::string read_key(const std::string& path)
{
    return read_whole_key({"the file of the client's key", path});
}

std::string read_signing_key(const std::string& path)
{
    return read_whole_key({"--sign-key", path});
}

std::string read_state_keys(const std::string& path)
{
    return read_whole_key({"--state-keys", path});
}

void check_credentials(const std::string& path)
{
    const secret_file file("the file of the bus' credentials", path);
    file.check_owner();
}

} // namespace command_line
