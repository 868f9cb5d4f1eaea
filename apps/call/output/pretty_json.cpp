#include "pretty_json.hpp"

#include <partyline/protocol/printable.hpp>

#include <ostream>
#include <string>

namespace call {
namespace {

constexpr std::size_t deepest_indented = 20;

constexpr std::string_view name_color = "\x1b[1;34m";
constexpr std::string_view string_color = "\x1b[32m";
constexpr std::string_view number_color = "\x1b[36m";
constexpr std::string_view word_color = "\x1b[35m"; // true, false, null
constexpr std::string_view plain = "\x1b[0m";

// Goes from token to token; what they mean to each other it need not know.
class pretty_writer {
public:
    pretty_writer(std::ostream& out, std::string_view json, result_style style)
        : out_(&out), rest_(json), is_colored_(style == result_style::colored)
    {
    }

    void write()
    {
        for (skip_space(); !rest_.empty(); skip_space()) {
            write_token();
            if (text_.size() > (std::size_t(64) << 10))
                flush();
        }
        flush();
    }

private:
    void write_token()
    {
        switch (rest_.front()) {
        case '{':
        case '[': return open();
        case '}':
        case ']': return close();
        case ',': take(1); return break_line();
        case ':': take(1); return text_.push_back(' ');
        case '"': return write_string();
        default: return write_scalar();
        }
    }

    void open()
    {
        take(1);
        ++depth_;
        skip_space();
        if (rest_.empty() || rest_.front() == '}' || rest_.front() == ']')
            is_empty_ = true;
        else
            break_line();
    }

    void close()
    {
        const bool was_indented = is_indented() && !is_empty_;
        is_empty_ = false;
        depth_ -= depth_ != 0;
        if (was_indented)
            start_line();
        take(1);
    }

    void write_string()
    {
        std::size_t end = 1;
        while (end < rest_.size() && rest_[end] != '"')
            end += rest_[end] == '\\' ? 2 : 1;
        const std::string_view string = rest_.substr(0, end + 1);
        rest_.remove_prefix(string.size());
        skip_space();
        append(string, rest_.starts_with(':') ? name_color : string_color);
    }

    void write_scalar()
    {
        const std::string_view scalar = rest_.substr(0, rest_.find_first_of(",:]} \t\r\n"));
        rest_.remove_prefix(scalar.size());
        append(scalar,
               scalar.front() == '-' || (scalar.front() >= '0' && scalar.front() <= '9') ? number_color : word_color);
    }

    void append(std::string_view token, std::string_view color)
    {
        if (is_colored_)
            text_ += color;
        text_ += partyline::printable(token);
        if (is_colored_)
            text_ += plain;
    }

    bool is_indented() const { return depth_ <= deepest_indented; }

    void break_line()
    {
        if (is_indented())
            start_line();
    }

    void start_line() { text_.append(1, '\n').append(2 * depth_, ' '); }

    void take(std::size_t count)
    {
        text_ += rest_.substr(0, count);
        rest_.remove_prefix(count);
    }

    void skip_space()
    {
        const std::size_t next = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(next == std::string_view::npos ? rest_.size() : next);
    }

    void flush()
    {
        *out_ << text_;
        text_.clear();
    }

    std::ostream* out_;
    std::string_view rest_;
    bool is_colored_;
    std::string text_; // that is not written yet
    std::size_t depth_ = 0;
    bool is_empty_ = false; // the array or object that was begun last
};

} // namespace

void write_json(std::ostream& out, std::string_view json, result_style style)
{
    if (style == result_style::exact)
        out << json;
    else
        pretty_writer(out, json, style).write();
}

} // namespace call
