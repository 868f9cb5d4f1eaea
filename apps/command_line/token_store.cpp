#include "command_line/token_store.hpp"

#include "command_line/line_log.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace command_line {
namespace {

using namespace std::chrono_literals;

constexpr const char* file_name = "tokens.json";
constexpr const char* new_name = "tokens.json.new"; // written by whoever has the lock
constexpr const char* lock_name = "tokens.json.lock";
constexpr std::size_t longest_file = 1 << 20;
constexpr auto lock_pause = 20ms;
constexpr auto lock_time = 5s;
constexpr auto last_lock_time = 1s;

class descriptor {
public:
    explicit descriptor(int number) : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&&) = delete;
    ~descriptor()
    {
        if (number_ >= 0)
            ::close(number_);
    }

    int get() const noexcept { return number_; }
    bool is_open() const noexcept { return number_ >= 0; }

private:
    int number_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why)
{
    throw std::runtime_error(path + ": " + why);
}

[[noreturn]] void fail(const std::string& path)
{
    const int code = errno;
    refuse(path, code == ELOOP ? "it is a link, which is not followed" : std::generic_category().message(code));
}

// Of the descriptor: what is checked is what is used.
struct stat facts_of(const descriptor& of, const std::string& path)
{
    struct stat found = {};
    if (::fstat(of.get(), &found) != 0)
        fail(path);
    if (found.st_uid != ::geteuid())
        refuse(path, "it belongs to another user");
    return found;
}

void write_all(const descriptor& to, std::string_view text, const std::string& path)
{
    while (!text.empty()) {
        const ssize_t count = ::write(to.get(), text.data(), text.size());
        if (count < 0 && errno != EINTR)
            fail(path);
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
}

std::string read_all(const descriptor& from, const std::string& path)
{
    std::string text;
    std::array<char, 4096> part;
    while (text.size() <= longest_file) {
        const ssize_t count = ::read(from.get(), part.data(), part.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(path);
        if (count == 0)
            return text;
        text.append(part.data(), static_cast<std::size_t>(count));
    }
    refuse(path, "it is longer than " + std::to_string(longest_file) + " bytes");
}

/// The file, and the folder that it is in.
class token_folder {
public:
    explicit token_folder(std::string folder) : path_(std::move(folder) + "/partyline") {}

    // Without a file there are no entries.
    json::object read() const
    {
        const descriptor folder = open_folder();
        return folder.is_open() ? read_in(folder) : json::object();
    }

    /// The lock; not open while another process has it.
    descriptor try_lock() const
    {
        make_folder();
        const descriptor folder = open_folder();
        const std::string path = path_of(lock_name);
        constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
        descriptor lock(::openat(folder.get(), lock_name, flags, 0600));
        if (!lock.is_open())
            fail(path);
        if (!S_ISREG(facts_of(lock, path).st_mode))
            refuse(path, "it is no file");
        if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
            return lock;
        if (errno != EWOULDBLOCK && errno != EINTR)
            fail(path);
        return descriptor(-1);
    }

    /// Puts these texts in place of those that the file has under their names. To be called with the lock.
    void change(const std::map<std::string, std::string>& texts) const
    {
        const descriptor folder = open_folder();
        json::object entries = read_in(folder);
        for (const auto& [name, text] : texts) {
            if (text.empty())
                entries.erase(name);
            else
                entries[name] = text;
        }
        write_in(folder, json::serialize(entries) + '\n');
    }

private:
    std::string path_of(const char* name) const { return path_ + '/' + name; }

    void make_folder() const
    {
        std::error_code failed;
        fs::create_directories(fs::path(path_).parent_path(), failed);
        if (::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST)
            fail(path_);
    }

    // Not open where there is none.
    descriptor open_folder() const
    {
        descriptor folder(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!folder.is_open() && errno == ENOENT)
            return folder;
        if (!folder.is_open())
            refuse(path_, errno == ENOTDIR || errno == ELOOP ? "it is no folder, or a link"
                                                             : std::generic_category().message(errno));
        if (facts_of(folder, path_).st_mode & (S_IWGRP | S_IWOTH))
            refuse(path_, "others can write to it: chmod 700 " + path_);
        return folder;
    }

    json::object read_in(const descriptor& folder) const
    {
        const std::string path = path_of(file_name);
        const descriptor file(::openat(folder.get(), file_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
        if (!file.is_open() && errno == ENOENT)
            return {};
        if (!file.is_open())
            fail(path);
        const struct stat found = facts_of(file, path);
        if (!S_ISREG(found.st_mode))
            refuse(path, "it is no file");
        if (found.st_mode & (S_IRWXG | S_IRWXO))
            refuse(path, "others may read or write it: chmod 600 " + path);
        boost::system::error_code failed;
        const json::value whole = json::parse(read_all(file, path), failed);
        if (failed || !whole.is_object())
            refuse(path, "it is not what was written there: remove it, and log in again");
        return whole.get_object();
    }

    // Whole or not at all: the file is exchanged.
    void write_in(const descriptor& folder, const std::string& text) const
    {
        const std::string path = path_of(new_name);
        if (text.size() > longest_file)
            refuse(path_of(file_name), "it would be longer than " + std::to_string(longest_file) + " bytes");
        ::unlinkat(folder.get(), new_name, 0); // left by a process that was killed
        const descriptor file(
            ::openat(folder.get(), new_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!file.is_open())
            fail(path);
        write_all(file, text, path);
        if (::renameat(folder.get(), new_name, folder.get(), file_name) != 0)
            fail(path);
    }

    std::string path_;
};

class token_store : public std::enable_shared_from_this<token_store> {
public:
    token_store(asio::any_io_executor executor, std::string folder) : folder_(std::move(folder)), retry_(executor) {}
    token_store(const token_store&) = delete;
    token_store& operator=(const token_store&) = delete;
    ~token_store()
    {
        const auto until = clock::now() + last_lock_time;
        while (!waiting_.empty() && !try_write(until))
            std::this_thread::sleep_for(lock_pause); // the program ends
    }

    std::string load(const std::string& name) const
    {
        const auto unsaved = waiting_.find(name);
        if (unsaved != waiting_.end())
            return unsaved->second;
        const json::object entries = folder_.read();
        const json::value* const found = entries.if_contains(name);
        return found && found->is_string() ? std::string(found->get_string()) : std::string();
    }

    // Where nobody else has the lock, a failure is the caller's.
    void save(const std::string& name, const std::string& text)
    {
        const bool is_retrying = !waiting_.empty();
        waiting_[name] = text;
        if (is_retrying)
            return;
        try {
            if (!write())
                write_later(clock::now() + lock_time);
        } catch (...) {
            waiting_.clear();
            throw;
        }
    }

private:
    using clock = std::chrono::steady_clock;

    bool write()
    {
        const descriptor lock = folder_.try_lock();
        if (!lock.is_open())
            return false;
        folder_.change(waiting_);
        waiting_.clear();
        return true;
    }

    // Whether there is no more to be done: a failure is told.
    bool try_write(clock::time_point until) noexcept
    {
        try {
            if (write())
                return true;
            if (clock::now() < until)
                return false;
            say("partyline: tokens are not saved: another process has locked their file");
        } catch (const std::exception& e) {
            say("partyline: tokens are not saved: " + partyline::exception_text(e));
        }
        waiting_.clear();
        return true;
    }

    void write_later(clock::time_point until)
    {
        retry_.expires_after(lock_pause);
        retry_.async_wait([late = weak_from_this(), until](boost::system::error_code stopped) {
            const auto self = late.lock();
            if (!stopped && self && !self->try_write(until))
                self->write_later(until);
        });
    }

    const token_folder folder_;
    asio::steady_timer retry_;
    std::map<std::string, std::string> waiting_; // not yet saved
};

} // namespace

std::string state_folder()
{
    const char* const named = std::getenv("XDG_STATE_HOME");
    if (named && *named == '/') // others are to be ignored
        return named;
    const char* const home = std::getenv("HOME");
    if (!home || *home != '/')
        throw std::runtime_error("neither XDG_STATE_HOME nor HOME says where the tokens of logins are to be kept");
    return std::string(home) + "/.local/state";
}

partyline::http::oauth_store make_token_store(asio::any_io_executor executor, std::string folder)
{
    const auto kept = std::make_shared<token_store>(std::move(executor), std::move(folder));
    partyline::http::oauth_store store;
    store.load = [kept](const std::string& name) { return kept->load(name); };
    store.save = [kept](const std::string& name, const std::string& text) { kept->save(name, text); };
    return store;
}

} // namespace command_line
