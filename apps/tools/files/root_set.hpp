#pragma once

#include "root_folder.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

/// Where something is: a root, and a path relative to it, which is not known to lead anywhere yet.
struct place {
    const root_folder* root = nullptr;
    std::string path;
};

/// The roots of the program. Callers name what is in them by an absolute path, or, where there is one root, relative to
/// that; where there are several, by the root's name and what follows in it: "name/src/a.cpp". Or by its URI,
/// "file:///srv/files/a.cpp", in which any bytes may stand.
///
/// Thread safety: safe, once it has been made.
class root_set {
public:
    /// At least one, each once. Throws tool_error that names a path which is no folder that can be read.
    explicit root_set(const std::vector<std::string>& paths);
    root_set(const root_set&) = delete;
    root_set& operator=(const root_set&) = delete;

    /// What a caller means by `text`. Throws tool_error that names the roots when it is in none of them. An absolute
    /// path is compared as text: it is opening that keeps within.
    place find(std::string_view text) const;

    /// How a caller names it: `find` gives the same for that. A URI where the name is not UTF-8.
    std::string name_of(const place& what) const;

    std::size_t size() const noexcept { return roots_.size(); }
    const root_folder& at(std::size_t index) const { return roots_.at(index).folder; }
    /// The name of a root, which no other has.
    const std::string& name(std::size_t index) const { return roots_.at(index).name; }

private:
    struct named_root {
        root_folder folder;
        std::string name;
    };

    void add(root_folder folder);
    std::string raw_name_of(const place& what) const;
    const named_root* named(std::string_view name) const;
    place find_absolute(std::string_view text) const;
    std::string list() const;

    std::deque<named_root> roots_; // places point into it
};

} // namespace tools
