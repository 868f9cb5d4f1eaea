#pragma once

#include <map>
#include <string>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

namespace command_line {

/// A descriptor that is closed in the end; or none.
class owned_descriptor {
public:
    explicit owned_descriptor(int number) : number_(number) {}
    owned_descriptor(owned_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    owned_descriptor& operator=(owned_descriptor&&) = delete;
    ~owned_descriptor()
    {
        if (number_ >= 0)
            ::close(number_);
    }

    int get() const noexcept { return number_; }
    bool is_open() const noexcept { return number_ >= 0; }

private:
    int number_;
};

/// The file of the tokens of logins, `tokens.json`, in a folder `partyline` of a folder of the user's. It is refused
/// where others can read or write it, where it is a link, and where its folder is one, or others can write there: by
/// `std::runtime_error`, with a text for the user, as whatever else fails.
class token_folder {
public:
    explicit token_folder(std::string folder) : path_(std::move(folder) + "/partyline") {}

    /// The text of an entry; empty without one.
    std::string read(const std::string& name) const;
    /// The lock of the file; not open while another process has it. Makes the folder where there is none.
    owned_descriptor try_lock() const;
    /// Puts these texts, by names, in place of those that the file has, as `changed_entries` does. To be called with
    /// the lock.
    void change(const std::map<std::string, std::string>& texts) const;
    /// The lock for who refreshes the tokens of this name; not open while somebody else has it. That of another name is
    /// another one. It goes with its descriptor.
    owned_descriptor try_lock_refresh(const std::string& name) const;

private:
    std::string path_of(const char* name) const { return path_ + '/' + name; }
    void make_folder() const;
    owned_descriptor open_folder() const;
    owned_descriptor open_lock(const char* name) const;
    std::string read_in(const owned_descriptor& folder) const;
    void write_in(const owned_descriptor& folder, const std::string& text) const;

    std::string path_;
};

} // namespace command_line
