#include "mcp_extensions/skills/yaml_reader.hpp"

#include "mcp_extensions/skills/block_scalar.hpp"
#include "mcp_extensions/skills/yaml_flow.hpp"
#include "mcp_extensions/skills/yaml_quoted.hpp"
#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

// The spaces in front.
std::size_t indent_of(std::string_view line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

std::string_view without_end(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(" \t");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool is_item(std::string_view text)
{
    return text == "-" || text.starts_with("- ");
}

struct key_and_rest {
    std::string key;
    std::string_view rest; // behind the colon
};

// Where a plain key ends, at a colon; `npos` where the text has none.
std::size_t find_plain_key_end(std::string_view text)
{
    for (std::size_t at = 0; at != text.size(); ++at) {
        if (text[at] == '#' && at != 0 && text[at - 1] == ' ')
            break;
        if (text[at] == ':' && (at + 1 == text.size() || text[at + 1] == ' '))
            return at;
    }
    return std::string_view::npos;
}

class block_reader {
public:
    block_reader(const std::vector<std::string_view>& lines, std::size_t line) : lines_(lines), first_line_(line) {}

    json::object read_all()
    {
        skip_empty();
        if (is_at_end())
            refuse("expected \"name: ...\" and \"description: ...\", got nothing");
        json::value read = read_block(0);
        if (!is_at_end())
            refuse("expected as many spaces in front as the lines above have");
        if (!read.is_object())
            refuse("expected a map, such as \"name: ...\"");
        return std::move(read.get_object());
    }

private:
    bool is_at_end() const { return at_ == lines_.size(); }
    [[noreturn]] void refuse(const std::string& what) const
    {
        throw yaml_error(first_line_ + std::min(at_, lines_.size() - 1), what);
    }

    // Where the text begins, behind the spaces, and behind the "-" of lists that begin in this line.
    std::size_t indent() const { return std::max(inner_indent_, indent_of(lines_[at_])); }
    std::string_view text() const { return without_end(lines_[at_].substr(indent())); }
    void next()
    {
        ++at_;
        inner_indent_ = 0;
        skip_empty();
    }
    void skip_empty()
    {
        for (; !is_at_end(); ++at_) {
            const std::string_view line = lines_[at_];
            const std::size_t begin = line.find_first_not_of(" \t");
            if (begin != std::string_view::npos && line[begin] != '#')
                return check_tabs(line.substr(0, begin));
        }
    }
    void check_tabs(std::string_view front) const
    {
        if (front.find('\t') != std::string_view::npos)
            refuse("lines are indented by spaces, not by tabs");
    }

    // Of the lines that are indented as the one here is.
    json::value read_block(std::size_t depth)
    {
        if (depth >= max_yaml_depth)
            refuse("there are more than " + std::to_string(max_yaml_depth) + " lists and maps in each other");
        if (is_item(text()))
            return read_list(depth, indent());
        if (find_key(text()))
            return read_map(depth, indent());
        return read_scalar(text(), indent() == 0 ? 0 : indent() - 1, depth);
    }

    json::value read_list(std::size_t depth, std::size_t column)
    {
        json::array items;
        while (!is_at_end() && indent() == column && is_item(text()))
            items.push_back(read_item(depth, column));
        return items;
    }
    // What stands behind the "-" is a block of its own, which begins there.
    json::value read_item(std::size_t depth, std::size_t column)
    {
        const std::string_view behind = text().substr(1);
        const std::size_t spaces = indent_of(behind);
        const std::string_view rest = behind.substr(spaces);
        if (rest.empty() || rest.front() == '#')
            return read_nested(depth, column, false);
        if (is_item(rest) || find_key(rest)) {
            inner_indent_ = column + 1 + spaces;
            return read_block(depth + 1);
        }
        return read_scalar(rest, column, depth + 1);
    }

    json::value read_map(std::size_t depth, std::size_t column)
    {
        json::object members;
        while (!is_at_end() && indent() == column) {
            const std::optional<key_and_rest> found = find_key(text());
            if (!found)
                refuse("expected \"key: value\"");
            if (members.contains(found->key))
                refuse("the key \"" + found->key + "\" is there twice");
            members.emplace(found->key, read_value(found->rest, depth, column));
        }
        return members;
    }
    json::value read_value(std::string_view rest, std::size_t depth, std::size_t column)
    {
        rest.remove_prefix(indent_of(rest));
        return rest.empty() || rest.front() == '#' ? read_nested(depth, column, true)
                                                   : read_scalar(rest, column, depth + 1);
    }
    // The lines below, if they have more indentation; the list of a key may have as much as the key.
    json::value read_nested(std::size_t depth, std::size_t column, bool may_be_list_beside)
    {
        next();
        if (is_at_end() || indent() < column)
            return nullptr;
        if (indent() == column && !(may_be_list_beside && is_item(text())))
            return nullptr;
        return read_block(depth + 1);
    }

    json::value read_scalar(std::string_view first, std::size_t column, std::size_t depth)
    {
        if (first.front() == '|' || first.front() == '>')
            return read_block_scalar(first, column);
        const std::size_t line = first_line_ + at_;
        std::string whole(first);
        for (++at_; !is_at_end() && goes_on(lines_[at_], column); ++at_)
            whole.append("\n").append(without_end(lines_[at_].substr(indent_of(lines_[at_]))));
        inner_indent_ = 0;
        skip_empty();
        return read_flow(whole, line, depth);
    }
    // Lines without text are part of what they stand in, and mean nothing at its end.
    static bool goes_on(std::string_view line, std::size_t column)
    {
        return without_end(line).empty() || indent_of(line) > column;
    }

    json::value read_block_scalar(std::string_view header, std::size_t column)
    {
        const std::optional<block_header> how = read_block_header(header);
        if (!how)
            refuse("expected \"|\" or \">\", with \"-\", \"+\" or a digit behind it at most");
        std::size_t begin = how->indentation == 0 ? 0 : column + how->indentation;
        std::vector<std::string_view> found;
        for (++at_; !is_at_end(); ++at_) {
            const std::string_view line = lines_[at_];
            const bool is_empty = indent_of(line) == line.size();
            if (begin == 0 && !is_empty && indent_of(line) > column)
                begin = indent_of(line);
            if (!is_empty && (begin == 0 || indent_of(line) < begin))
                break;
            found.push_back(line.size() > begin && begin != 0 ? line.substr(begin) : std::string_view());
        }
        inner_indent_ = 0;
        skip_empty();
        return json::value(block_text(*how, found));
    }

    std::optional<key_and_rest> find_key(std::string_view of) const
    {
        if (of.front() == '"' || of.front() == '\'')
            return find_quoted_key(of);
        if (of.front() == '[' || of.front() == '{')
            return std::nullopt;
        const std::size_t end = find_plain_key_end(of);
        if (end == std::string_view::npos)
            return std::nullopt;
        return key_and_rest{plain_key(without_end(of.substr(0, end))), of.substr(end + 1)};
    }
    std::optional<key_and_rest> find_quoted_key(std::string_view of) const
    {
        const std::size_t end = find_quote_end(of);
        if (end == std::string_view::npos)
            return std::nullopt;
        const std::string_view behind = of.substr(end);
        const std::size_t colon = indent_of(behind);
        if (colon == behind.size() || behind[colon] != ':')
            return std::nullopt;
        const std::string_view rest = behind.substr(colon + 1);
        if (!rest.empty() && rest.front() != ' ')
            return std::nullopt;
        const json::value key = read_flow(of.substr(0, end), first_line_ + at_, 0);
        return key_and_rest{std::string(key.get_string()), rest};
    }
    std::string plain_key(std::string_view text) const
    {
        const json::value key = text.empty() ? json::value() : read_flow(text, first_line_ + at_, 0);
        if (!key.is_string())
            refuse("a key is a text, which stands in quotes if it looks like a number or a bool");
        return std::string(key.get_string());
    }

    const std::vector<std::string_view>& lines_;
    const std::size_t first_line_;
    std::size_t at_ = 0;
    std::size_t inner_indent_ = 0; // of what stands behind a "-" in the line
};

} // namespace

json::object read_yaml(const std::vector<std::string_view>& lines, std::size_t line)
{
    return block_reader(lines, line).read_all();
}

} // namespace partyline::mcp::skills
