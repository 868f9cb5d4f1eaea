#pragma once

#include "descriptor.hpp"
#include "root_folder.hpp"
#include "tools/stop_check.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tools {

/// How far a walk goes.
struct walk_limits {
    std::size_t max_depth = 64; ///< folders within folders; each takes a descriptor
    std::size_t max_entries = 500'000;
    std::size_t max_unreadable = 100; ///< that are named; more are counted
};

/// Goes through the regular files beneath a folder, where each folder stands among the files beside it, by name. Links
/// are not followed. Folders of version control (.git and the like) are passed over, and so is, without a word, what
/// has gone by the time it is opened.
///
/// Flow: `next()` until it gives nothing; `open()` what it gave last.
class file_walk {
public:
    /// `start` is relative to the root; empty: all of it. Throws what opening that throws.
    file_walk(const root_folder& root, const std::string& start, walk_limits limits = {}, stop_check is_stopped = {});

    /// The path of the next file, relative to the folder where the walk began. Throws operation_aborted when it is to
    /// stop.
    std::optional<std::string> next();

    /// Opens the file that `next()` gave last. Nothing: it is gone, or no file that can be read, which is noted.
    std::optional<opened_file> open();

    struct unreadable_entry {
        std::string path;
        std::string why;
    };
    void note_unreadable(std::string path, std::string why);
    const std::vector<unreadable_entry>& unreadable() const noexcept { return unreadable_; }
    /// How many there were, those that are not named included.
    std::size_t unreadable_count() const noexcept { return unreadable_count_; }
    /// There were more entries than it may look at.
    bool is_truncated() const noexcept { return is_truncated_; }

private:
    struct entry {
        std::string name;
        unsigned char type;
    };
    struct level {
        descriptor folder;
        std::string path; // with a slash at its end, but for the first
        std::vector<entry> entries;
        std::size_t next = 0;
    };

    void enter(descriptor folder, std::string path);
    void enter_entry(const std::string& name);
    std::vector<entry> list(int folder, const std::string& path);
    unsigned char type_of(const entry& what) const;
    descriptor open_entry(const std::string& name, int flags);

    walk_limits limits_;
    stop_check is_stopped_;
    std::vector<level> levels_;
    std::string current_; // name of what next() gave last
    std::size_t entries_seen_ = 0;
    bool is_truncated_ = false;
    std::vector<unreadable_entry> unreadable_;
    std::size_t unreadable_count_ = 0;
};

} // namespace tools
