#include "line_range.hpp"

#include "tools/text/excerpt.hpp"
#include "tools/tool_error.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tools {
namespace {

// Takes what belongs to a range from a file that comes in pieces.
class range_picker {
public:
    explicit range_picker(const line_range& wanted) : wanted_(wanted) { picked_.last = wanted.from - 1; }

    void feed(std::string_view piece)
    {
        while (!piece.empty()) {
            const std::size_t end = piece.find('\n');
            const bool is_whole = end != piece.npos;
            take(piece.substr(0, is_whole ? end + 1 : end));
            is_within_ = !is_whole;
            if (!is_whole)
                return;
            ++line_;
            begin_ = picked_.text.size();
            piece.remove_prefix(end + 1);
        }
    }

    lines_read finish()
    {
        picked_.lines_in_file = is_within_ ? line_ : line_ - 1;
        picked_.text = partyline::to_valid_utf8(picked_.text);
        return std::move(picked_);
    }

private:
    void take(std::string_view part)
    {
        if (line_ < wanted_.from || picked_.next || (wanted_.to && line_ > *wanted_.to))
            return;
        const std::size_t room = wanted_.max_bytes - picked_.text.size();
        picked_.last = line_;
        if (part.size() <= room)
            picked_.text += part;
        else
            cut(part, room);
    }

    // Lines are taken whole, but for one that is too long by itself.
    void cut(std::string_view part, std::size_t room)
    {
        if (begin_ > 0) {
            picked_.text.resize(begin_);
            picked_.last = line_ - 1;
            picked_.next = line_;
            return;
        }
        picked_.text += part.substr(0, whole_characters(part, room));
        picked_.is_line_cut = true;
        picked_.next = line_ + 1;
    }

    const line_range& wanted_;
    lines_read picked_;
    std::uint64_t line_ = 1;
    std::size_t begin_ = 0; // of this line, in the text
    bool is_within_ = false;
};

void check_range(const line_range& wanted)
{
    if (wanted.from < 1)
        throw tool_error("the first line of a file is 1, not " + std::to_string(wanted.from));
    if (wanted.to && *wanted.to < wanted.from)
        throw tool_error("lines " + std::to_string(wanted.from) + " to " + std::to_string(*wanted.to) +
                         ": the range ends before it begins");
}

// A cut line that is the last one wanted, or there is, leaves nothing to go on with.
void check_next(lines_read& read, const line_range& wanted)
{
    if (read.next && *read.next > std::min(wanted.to.value_or(read.lines_in_file), read.lines_in_file))
        read.next.reset();
}

} // namespace

lines_read read_line_range(file_reader& file, const line_range& wanted)
{
    check_range(wanted);
    range_picker picker(wanted);
    std::string piece(std::size_t(64) << 10, '\0');
    while (const std::size_t count = file.read(piece.data(), piece.size())) {
        if (file.bytes_read() == count && looks_binary(piece.data(), count))
            throw tool_error(in_quotes(file.shown()) + " is no text: there are zero bytes in it");
        picker.feed(std::string_view(piece).substr(0, count));
    }
    lines_read read = picker.finish();
    if (wanted.from > std::max<std::uint64_t>(read.lines_in_file, 1))
        throw tool_error(in_quotes(file.shown()) + " has " + std::to_string(read.lines_in_file) +
                         " lines: there is no line " + std::to_string(wanted.from));
    check_next(read, wanted);
    return read;
}

} // namespace tools
