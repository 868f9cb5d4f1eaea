#include "read_lines.hpp"

#include "tools/text/line_range.hpp"

#include <utility>

namespace tools {

read_result read_lines(const root_set& roots, const tool_limits& limits, const read_arguments& what,
                       const stop_check& is_stopped)
{
    const place where = roots.find(what.file);
    file_reader reader(where.root->open_file(where.path), what.file, limits.file_bytes, is_stopped);
    lines_read read = read_line_range(reader, {what.from, what.to, limits.text_bytes});
    return {.file = roots.name_of(where),
            .from = what.from,
            .to = read.last,
            .lines_in_file = read.lines_in_file,
            .text = std::move(read.text),
            .truncated = read.next || read.is_line_cut,
            .next = read.next};
}

} // namespace tools
