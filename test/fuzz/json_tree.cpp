#include "fuzz/json_tree.hpp"

#include "protocol/json/surrogates.hpp"
#include "protocol/json/utf8.hpp"
#include "protocol/json/utf8_check.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>

#include <algorithm>
#include <utility>

namespace json = boost::json;

namespace partyline::test {
namespace {

constexpr std::size_t max_depth = 500; // Boost.JSON recurses

// What basic_parser tells what it has parsed.
struct tree_builder {
    using error = boost::system::error_code;
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);

    bool on_document_begin(error&) { return true; }
    bool on_document_end(error&) { return true; }
    bool on_object_begin(error&) { return open(json_tree::kind::object); }
    bool on_object_end(std::size_t, error&) { return close(); }
    bool on_array_begin(error&) { return open(json_tree::kind::array); }
    bool on_array_end(std::size_t, error&) { return close(); }
    bool on_key_part(std::string_view part, std::size_t, error&) { return keep(part); }
    bool on_key(std::string_view part, std::size_t, error&)
    {
        keep(part);
        open_.back().names.push_back(std::exchange(text_, {}));
        return true;
    }
    bool on_string_part(std::string_view part, std::size_t, error&) { return keep(part); }
    bool on_string(std::string_view part, std::size_t, error&) { return keep(part) && end(json_tree::kind::string); }
    bool on_number_part(std::string_view part, error&) { return keep(part); }
    bool on_int64(std::int64_t, std::string_view part, error&) { return keep(part) && end(json_tree::kind::number); }
    bool on_uint64(std::uint64_t, std::string_view part, error&) { return keep(part) && end(json_tree::kind::number); }
    bool on_double(double, std::string_view part, error&) { return keep(part) && end(json_tree::kind::number); }
    bool on_bool(bool value, error&) { return keep(value ? "true" : "false") && end(json_tree::kind::boolean); }
    bool on_null(error&) { return keep("null") && end(json_tree::kind::null); }
    bool on_comment_part(std::string_view, error&) { return true; }
    bool on_comment(std::string_view, error&) { return true; }

    json_tree root;

private:
    bool keep(std::string_view part)
    {
        text_.append(part);
        return true;
    }
    bool end(json_tree::kind what) { return add({what, std::exchange(text_, {}), {}, {}}); }
    bool open(json_tree::kind what)
    {
        open_.push_back({what, {}, {}, {}});
        return true;
    }
    bool close()
    {
        json_tree ended = std::move(open_.back());
        open_.pop_back();
        return add(std::move(ended));
    }
    bool add(json_tree ended)
    {
        if (open_.empty())
            root = std::move(ended);
        else
            open_.back().children.push_back(std::move(ended));
        return true;
    }

    std::vector<json_tree> open_;
    std::string text_;
};

} // namespace

std::size_t json_tree::depth() const
{
    if (what != kind::array && what != kind::object)
        return 0;
    std::size_t deepest = 0;
    for (const json_tree& child : children)
        deepest = std::max(deepest, child.depth());
    return deepest + 1;
}

int json_tree::count(std::string_view name) const
{
    return static_cast<int>(std::count(names.begin(), names.end(), name));
}

const json_tree* json_tree::find(std::string_view name) const
{
    for (std::size_t i = names.size(); i-- > 0;) {
        if (names[i] == name)
            return &children[i];
    }
    return nullptr;
}

namespace {

// Boost.JSON has no escapes of a lone surrogate: each becomes the bytes that UTF-8 would have for it.
std::string without_half_pairs(std::string_view text)
{
    std::string out;
    for (std::string all(text); !text.empty(); text.remove_prefix(1)) {
        const char* const p = all.c_str() + (all.size() - text.size());
        const bool is_escape = p[0] == '\\' && text.size() > 1;
        const unsigned unit = is_escape && p[1] == 'u' ? read_hex4(p + 2) : 0;
        const bool is_half = is_high_surrogate(unit) || is_low_surrogate(unit);
        const std::size_t taken = !is_escape ? 1 : !is_half ? 2 : other_half(p, unit) != 0 ? 12 : 6;
        if (is_half && taken == 6)
            utf8::append(out, unit);
        else
            out.append(p, taken);
        text.remove_prefix(taken - 1);
    }
    return out;
}

bool is_utf8(std::string_view text)
{
    utf8_check all;
    return all.feed(text) && all.is_whole();
}

} // namespace

bool json_tree::has_half_pair() const
{
    const auto is_one = [](const json_tree& child) { return child.has_half_pair(); };
    return (what == json_tree::kind::string && !is_utf8(text)) || !std::all_of(names.begin(), names.end(), is_utf8) ||
           std::any_of(children.begin(), children.end(), is_one);
}

json_validity parse_tree(std::string_view original, json_tree& out)
{
    if (!is_utf8(original))
        return json_validity::invalid;
    const std::string text = without_half_pairs(original);
    json::parse_options options;
    options.max_depth = max_depth;
    options.allow_invalid_utf8 = true; // those bytes
    json::basic_parser<tree_builder> parser(options);
    boost::system::error_code failed;
    const std::size_t parsed = parser.write_some(false, text.data(), text.size(), failed);
    if (failed == json::error::too_deep || failed == json::error::exponent_overflow)
        return json_validity::unknown;
    if (failed || parsed != text.size() || !parser.done())
        return json_validity::invalid;
    out = std::move(parser.handler().root);
    return json_validity::valid;
}

} // namespace partyline::test
