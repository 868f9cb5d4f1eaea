#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace tools {

/// A pattern for names of files: `*` is any text without a slash, `?` a character, `[a-z]` one of these, `[!a-z]` one
/// of the others. With a slash it is compared with the whole path, in which `**` is any text, and `**/` any folders,
/// also none; without one, with the name alone.
///
/// It takes time that grows with the pattern's length times the path's, whatever stands in them.
class glob {
public:
    static constexpr std::size_t max_pattern = 256;

    /// Throws tool_error for a pattern that is empty, too long, or has a `[` without its `]`.
    explicit glob(std::string_view pattern);

    /// `path` is relative, without "." and "..".
    bool matches(std::string_view path) const;

private:
    enum class kind { character, any_character, one_of, none_of, any_name, any_path, any_folders };
    struct part {
        kind what = kind::character;
        char32_t character = 0;
        std::vector<std::pair<char32_t, char32_t>> ranges = {};

        bool takes(char32_t next) const noexcept;
        bool may_be_empty() const noexcept { return what >= kind::any_name; }
        bool goes_on_after(char32_t taken) const noexcept;
    };
    /// Which parts may be next, by their places.
    using places = std::bitset<max_pattern + 1>;

    void add_part(std::u32string_view& rest);
    void add_stars(std::u32string_view& rest);
    void add_set(std::u32string_view& rest);
    void enter(places& all, std::size_t at) const;
    places after(const places& before, char32_t taken) const;

    std::vector<part> parts_;
    bool is_of_paths_ = false;
};

} // namespace tools
