#include "text_search.hpp"

#include "tools/text/excerpt.hpp"
#include "tools/tool_error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tools {
namespace {

constexpr std::size_t buffer_size = std::size_t(128) << 10;

char lower(char letter) noexcept
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower_text(std::string_view text)
{
    std::string lowered(text.size(), '\0');
    std::ranges::transform(text, lowered.begin(), lower);
    return lowered;
}

// One file, as it goes through a buffer. Whole lines are looked at together, and so is as much of a line as there is
// room for.
class line_scan {
public:
    using result = text_search::result;

    line_scan(std::string_view text, letter_case sensitivity, const text_search::found_hook& on_found)
        : text_(text), sensitivity_(sensitivity), on_found_(on_found), buffer_(buffer_size, '\0')
    {
    }

    result run(file_reader& file)
    {
        for (bool is_first = true;; is_first = false) {
            const std::size_t count = file.read(buffer_.data() + kept_, buffer_.size() - kept_);
            if (is_first && looks_binary(buffer_.data(), count))
                return result::is_binary;
            const std::string_view all(buffer_.data(), kept_ + count);
            if (count == 0)
                return scan(all) ? result::searched : result::enough;
            const std::size_t end = all.rfind('\n') + 1; // npos + 1 is 0
            if (!go_through(all, end))
                return result::enough;
        }
    }

private:
    // What is not looked at now is kept for when there is more of it.
    bool go_through(std::string_view all, std::size_t end)
    {
        if (end == 0 && all.size() == buffer_.size())
            return go_through_part(all);
        const bool goes_on = scan(all.substr(0, end));
        keep(all, end);
        return goes_on;
    }

    // A line that is longer than the buffer. The text may stand across the cut.
    bool go_through_part(std::string_view all)
    {
        const bool goes_on = scan(all);
        keep(all, all.size() - (text_.size() - 1));
        return goes_on;
    }

    void keep(std::string_view all, std::size_t from)
    {
        kept_ = all.size() - from;
        std::memmove(buffer_.data(), all.data() + from, kept_);
    }

    bool scan(std::string_view lines)
    {
        if (is_line_told_)
            leave_line(lines);
        const std::string lowered = sensitivity_ == letter_case::ignored ? lower_text(lines) : std::string();
        const std::string_view looked_at = sensitivity_ == letter_case::ignored ? lowered : lines;
        std::size_t at = 0;
        while (const void* const found =
                   ::memmem(looked_at.data() + at, looked_at.size() - at, text_.data(), text_.size())) {
            const auto where = static_cast<std::size_t>(static_cast<const char*>(found) - looked_at.data());
            count_lines(lines.substr(at, where - at));
            at = std::min(lines.find('\n', where), lines.size());
            is_line_told_ = at == lines.size();
            if (!tell(lines.substr(0, at), where))
                return false;
        }
        count_lines(lines.substr(at));
        return true;
    }

    // The rest of a line that has been told already.
    void leave_line(std::string_view& lines)
    {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        lines.remove_prefix(end);
        is_line_told_ = lines.empty();
    }

    void count_lines(std::string_view lines) { line_ += static_cast<std::uint64_t>(std::ranges::count(lines, '\n')); }

    bool tell(std::string_view up_to_end, std::size_t where)
    {
        const std::size_t begin = where == 0 ? 0 : up_to_end.rfind('\n', where - 1) + 1;
        const std::string_view line = up_to_end.substr(begin);
        return on_found_({line_, excerpt_of(line, where - begin, text_.size(), text_search::max_shown_line)});
    }

    std::string_view text_;
    letter_case sensitivity_;
    const text_search::found_hook& on_found_;
    std::string buffer_;
    std::size_t kept_ = 0;
    std::uint64_t line_ = 1;
    bool is_line_told_ = false;
};

} // namespace

text_search::text_search(std::string text, letter_case sensitivity) : text_(std::move(text)), sensitivity_(sensitivity)
{
    if (text_.empty() || text_.size() > max_text)
        throw tool_error("the text to look for has " + std::to_string(text_.size()) + " bytes, expected 1 to " +
                         std::to_string(max_text));
    if (text_.find('\n') != text_.npos)
        throw tool_error("the text to look for has several lines, expected one: " + in_quotes(text_));
    if (sensitivity_ == letter_case::ignored)
        text_ = lower_text(text_);
}

text_search::result text_search::search(file_reader& file, const found_hook& on_found) const
{
    return line_scan(text_, sensitivity_, on_found).run(file);
}

} // namespace tools
