#include "root_files.hpp"

#include "command_line/file_uri.hpp"
#include "file_reader.hpp"
#include "file_walk.hpp"
#include "tools/files/path_of_uri.hpp"

#include <partyline/protocol/writer.hpp>

namespace tools {

file_page list_files(const root_set& roots, const tool_limits& limits, std::uint64_t from, std::size_t most,
                     const stop_check& is_stopped)
{
    file_page page;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const root_folder& root = roots.at(i);
        const std::string prefix = root.path() == "/" ? "/" : root.path() + '/';
        file_walk walk(root, "", limits.walk, is_stopped);
        while (const std::optional<std::string> path = walk.next()) {
            if (number++ < from)
                continue;
            if (page.files.size() == most) {
                page.next = number - 1;
                return page;
            }
            page.files.push_back({roots.name_of({&root, *path}), command_line::file_uri(prefix + *path)});
        }
    }
    return page;
}

whole_file read_file(const root_set& roots, std::string_view uri, std::uint64_t max_bytes, const stop_check& is_stopped)
{
    const place where = roots.find(path_of_uri(uri));
    file_reader reader(where.root->open_file(where.path), where.path, max_bytes, is_stopped);
    constexpr std::size_t piece = std::size_t(64) << 10;
    whole_file file;
    for (std::size_t count = piece; count == piece;) {
        const std::size_t before = file.bytes.size();
        file.bytes.resize(before + piece);
        count = reader.read(file.bytes.data() + before, piece);
        file.bytes.resize(before + count);
    }
    file.is_text = file.bytes.find('\0') == file.bytes.npos && partyline::to_valid_utf8(file.bytes) == file.bytes;
    return file;
}

} // namespace tools
