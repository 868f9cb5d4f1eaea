#include "mcp_extensions/skills/yaml_flow.hpp"

#include "mcp_extensions/skills/yaml_quoted.hpp"
#include "mcp_extensions/skills/yaml_scalar.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::mcp::skills {
namespace {

constexpr std::string_view flow_marks = ",[]{}";

bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

class flow_reader {
public:
    flow_reader(std::string_view text, std::size_t line) : text_(text), first_line_(line) {}

    json::value read_all(std::size_t depth)
    {
        json::value read = read_node(depth, false);
        skip_space();
        if (at_ != text_.size())
            refuse("expected the end of the line, got \"" + std::string(rest().substr(0, 20)) + "\"");
        return read;
    }

private:
    std::string_view rest() const { return text_.substr(at_); }
    bool is_at(char c) const { return at_ != text_.size() && text_[at_] == c; }

    [[noreturn]] void refuse(const std::string& what) const
    {
        const auto breaks = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
        throw yaml_error(first_line_ + static_cast<std::size_t>(breaks), what);
    }

    // Comments begin at the text's begin or behind a space.
    void skip_space()
    {
        while (at_ != text_.size() && (is_space(text_[at_]) || begins_comment(at_)))
            at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
    bool begins_comment(std::size_t at) const { return text_[at] == '#' && (at == 0 || is_space(text_[at - 1])); }
    // A colon that ends a key.
    bool is_key_end(std::size_t at, bool is_inside) const
    {
        if (text_[at] != ':')
            return false;
        if (at + 1 == text_.size() || is_space(text_[at + 1]))
            return true;
        return is_inside && flow_marks.find(text_[at + 1]) != std::string_view::npos;
    }

    json::value read_node(std::size_t depth, bool is_inside)
    {
        skip_space();
        if (depth >= max_yaml_depth)
            refuse("there are more than " + std::to_string(max_yaml_depth) + " lists and maps in each other");
        if (is_at('['))
            return read_list(depth);
        if (is_at('{'))
            return read_map(depth);
        if (is_at('"') || is_at('\''))
            return json::value(read_quoted_text());
        const std::string text = read_plain(is_inside);
        try {
            return resolve_scalar(text);
        } catch (const std::out_of_range& refused) {
            refuse(refused.what());
        }
    }

    json::value read_list(std::size_t depth)
    {
        json::array items;
        ++at_;
        for (skip_space(); !is_at(']'); skip_space()) {
            items.push_back(read_node(depth + 1, true));
            end_item(']', "a list");
        }
        ++at_;
        return items;
    }

    json::value read_map(std::size_t depth)
    {
        json::object members;
        ++at_;
        for (skip_space(); !is_at('}'); skip_space()) {
            const json::value key = read_node(depth + 1, true);
            skip_space();
            if (!key.is_string() || !is_at(':'))
                refuse("expected a text and \":\" in a map");
            ++at_;
            if (members.contains(key.get_string()))
                refuse("the key \"" + std::string(key.get_string()) + "\" is there twice");
            members.emplace(key.get_string(), read_value(depth));
            end_item('}', "a map");
        }
        ++at_;
        return members;
    }
    // `{a:}` and `{a:,` have null.
    json::value read_value(std::size_t depth)
    {
        skip_space();
        return is_at(',') || is_at('}') ? json::value() : read_node(depth + 1, true);
    }
    void end_item(char end, const char* what)
    {
        skip_space();
        if (is_at(','))
            ++at_;
        else if (!is_at(end))
            refuse(std::string("expected \",\" or \"") + end + "\" in " + what);
    }

    std::string read_quoted_text()
    {
        const std::size_t end = find_quote_end(rest());
        if (end == std::string_view::npos)
            refuse(std::string("expected another ") + text_[at_] + " at the end of the text");
        try {
            std::string read = unquote(rest().substr(0, end));
            at_ += end;
            return read;
        } catch (const std::invalid_argument& refused) {
            refuse(refused.what());
        }
    }

    std::string read_plain(bool is_inside)
    {
        check_plain_begin(is_inside);
        const std::size_t begin = at_;
        std::size_t end = begin; // behind the last character that is no space
        for (; at_ != text_.size() && !begins_comment(at_) && !is_key_end(at_, is_inside); ++at_) {
            if (is_inside && flow_marks.find(text_[at_]) != std::string_view::npos)
                break;
            if (!is_space(text_[at_]))
                end = at_ + 1;
        }
        if (!is_inside && at_ != text_.size() && text_[at_] == ':')
            refuse("a text with \": \" in it stands in quotes");
        return fold_lines(text_.substr(begin, end - begin));
    }

    void check_plain_begin(bool is_inside) const
    {
        if (at_ == text_.size())
            refuse("expected a value, got the end of the text");
        const char first = text_[at_];
        const bool is_alone = at_ + 1 == text_.size() || is_space(text_[at_ + 1]);
        if (std::string_view("&*!|>%@`").find(first) != std::string_view::npos ||
            (std::string_view("?-").find(first) != std::string_view::npos && is_alone))
            refuse(std::string("a value that begins with \"") + first +
                   "\" is not known here (anchors, aliases, tags and the like); a text stands in quotes");
        if (flow_marks.find(first) != std::string_view::npos || is_key_end(at_, is_inside))
            refuse(std::string("expected a value, got \"") + first + '"');
    }

    const std::string_view text_;
    const std::size_t first_line_;
    std::size_t at_ = 0;
};

} // namespace

json::value read_flow(std::string_view text, std::size_t line, std::size_t depth)
{
    return flow_reader(text, line).read_all(depth);
}

} // namespace partyline::mcp::skills
