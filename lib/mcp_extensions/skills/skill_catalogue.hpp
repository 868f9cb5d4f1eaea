#pragma once

#include "mcp_extensions/skills/packed_skill.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace partyline::mcp::skills {

/// How many bytes the entries on a page of skills have, unless the first has more.
inline constexpr std::size_t max_page_bytes = std::size_t(1) << 20;

/// A part of a list, and what to ask for the next one by.
struct list_part {
    boost::json::array items;
    std::optional<std::string> next_cursor;
};

/// The skills that a server has now, in the order of their paths. What a client asks for by a URI is found however that
/// is percent-encoded, as a server finds resources.
///
/// A cursor is the URI of the last item before the part that it stands for, so it goes on where it was, whatever is
/// added and removed meanwhile.
///
/// Thread safety: all from any thread.
class skill_catalogue {
public:
    /// `page_size`: how many items a part has; 0: of that there is no bound.
    explicit skill_catalogue(std::size_t page_size) noexcept : page_size_(page_size) {}

    /// Throws `std::invalid_argument` where its path is taken, and where a skill around it, or within it, has other
    /// files in the folder that both have.
    void add(skill_ptr added);
    /// Takes it out, if it is there. Does not throw.
    void remove(const skill_ptr& removed) noexcept;

    /// Throws `rpc_error` for a cursor that is none.
    list_part list(const std::optional<std::string>& cursor) const;
    /// The entry of a skill. Throws `rpc_error` where there is none.
    boost::json::value get(std::string_view uri) const;
    /// What is in a folder. Throws `rpc_error` where there is no such folder, and for a cursor that is none.
    list_part read_folder(std::string_view uri, const std::optional<std::string>& cursor) const;
    /// The file of that path below "skill://"; null where there is none.
    file_ptr find_file(std::string_view path) const;

private:
    using skill_map = std::map<std::string, skill_ptr, std::less<>>; // by their paths

    struct skill_page {
        std::vector<skill_ptr> skills;
        bool is_last = false;
    };

    skill_ptr find_around(std::string_view path) const; // under the lock
    void check_nested(const packed_skill& added) const;
    skill_page page_after(std::string_view path) const;
    skill_ptr find_folder(std::string_view path) const;

    const std::size_t page_size_;
    mutable std::mutex mutex_; // of what follows
    skill_map skills_;
};

} // namespace partyline::mcp::skills
