#include "search_files.hpp"

#include "tool_error.hpp"
#include "tools/text/glob.hpp"
#include "tools/text/text_search.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace tools {
namespace {

// One search, maybe of several folders.
class file_search {
public:
    file_search(const root_set& roots, const tool_limits& limits, const search_arguments& what, tool_progress& progress)
        : roots_(roots), limits_(limits), progress_(progress), max_matches_(what.max_matches),
          text_(what.pattern, what.case_sensitive ? letter_case::matters : letter_case::ignored)
    {
        if (what.glob)
            glob_.emplace(*what.glob);
    }

    void search(const place& folder)
    {
        file_walk walk(*folder.root, folder.path, limits_.walk, is_stopped());
        while (has_room()) {
            const std::optional<std::string> path = walk.next();
            if (!path)
                break;
            if (!glob_ || glob_->matches(*path))
                search_file(walk, within(folder, *path));
        }
        result_.truncated = result_.truncated || walk.is_truncated();
        for (const file_walk::unreadable_entry& one : walk.unreadable())
            note_unreadable(within(folder, one.path), one.why);
    }

    search_result finish()
    {
        report();
        return std::move(result_);
    }

private:
    stop_check is_stopped() const
    {
        return [&by = progress_] { return by.cancelled(); };
    }

    bool has_room() const { return result_.matches.size() < max_matches_ && bytes_ < limits_.text_bytes; }

    std::string within(const place& folder, const std::string& path) const
    {
        std::string start = folder.path;
        while (start.ends_with('/'))
            start.pop_back();
        const bool is_all = start.empty() || start == ".";
        return roots_.name_of({folder.root, is_all ? path : start + '/' + path});
    }

    void search_file(file_walk& walk, const std::string& shown)
    {
        std::optional<opened_file> opened = walk.open();
        if (!opened)
            return;
        try {
            file_reader reader(std::move(*opened), shown, limits_.file_bytes, is_stopped());
            search_text(reader);
        } catch (const tool_error& failed) {
            note_unreadable(shown, failed.what());
        }
        report_now_and_then();
    }

    void search_text(file_reader& reader)
    {
        const auto take = [&](found_line found) {
            bytes_ += reader.shown().size() + found.text.size();
            result_.matches.push_back({reader.shown(), found.line, std::move(found.text)});
            return has_room();
        };
        const text_search::result how = text_.search(reader, take);
        if (how != text_search::result::is_binary)
            ++result_.files_searched;
        if (how == text_search::result::enough)
            result_.truncated = true;
    }

    void note_unreadable(const std::string& file, const std::string& why)
    {
        if (result_.unreadable.size() < limits_.walk.max_unreadable)
            result_.unreadable.push_back({file, why});
    }

    void report_now_and_then()
    {
        constexpr std::chrono::milliseconds pause(200);
        const auto now = std::chrono::steady_clock::now();
        if (now - reported_ < pause)
            return;
        reported_ = now;
        report();
    }

    void report()
    {
        const std::uint64_t files = result_.files_searched;
        progress_.report(static_cast<double>(files), std::nullopt,
                         std::to_string(files) + " files searched, " + std::to_string(result_.matches.size()) +
                             " lines found");
    }

    const root_set& roots_;
    const tool_limits& limits_;
    tool_progress& progress_;
    std::size_t max_matches_;
    std::size_t bytes_ = 0; // of the matches
    text_search text_;
    std::optional<glob> glob_;
    search_result result_;
    std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

} // namespace

search_result search_files(const root_set& roots, const tool_limits& limits, const search_arguments& what,
                           tool_progress& progress)
{
    file_search search(roots, limits, what, progress);
    if (what.root)
        search.search(roots.find(*what.root));
    for (std::size_t i = 0; !what.root && i < roots.size(); ++i)
        search.search({&roots.at(i), ""});
    return search.finish();
}

} // namespace tools
