#include "access/proof/canonical.hpp"

#include "access/proof/number_text.hpp"
#include "protocol/json/for_each_member.hpp"
#include "protocol/json/value_scan.hpp"

#include <partyline/protocol/writer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace partyline::access {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t longest = std::size_t(1) << 28; // so that places in what is made of it have 32 bits

// By UTF-16 code units, of which surrogates stand before U+E000: of UTF-8 that is the order of the bytes, except that
// those that begin U+10000 and beyond (F0 to F4) go before those that begin U+E000 to U+FFFF (EE, EF).
bool is_before(std::string_view a, std::string_view b) noexcept
{
    const auto [p, q] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (p == a.end() || q == b.end())
        return q != b.end();
    const auto left = static_cast<unsigned char>(*p);
    const auto right = static_cast<unsigned char>(*q);
    return left >= 0xEE && right >= 0xEE && (left >= 0xF0) != (right >= 0xF0) ? left > right : left < right;
}

/// What the scanner tells, as a tree: each array and object knows its elements, so that text is written once, in its
/// last order, however deep it stands.
class canonical_tree {
public:
    static constexpr bool decodes = true;
    static constexpr bool may_skip = false;
    using number_of_node = std::uint32_t;

    void string(std::string_view text)
    {
        const std::size_t begin = text_.size();
        write_string(text_, text);
        add(kind::scalar, begin);
    }
    void key(std::string_view text, const char*, std::size_t)
    {
        const std::size_t begin = text_.size();
        text_.append(text);
        add(kind::name, begin);
    }
    void boolean(bool value) { add_word(value ? "true" : "false"); }
    void null() { add_word("null"); }
    bool number(std::string_view text, bool is_integer)
    {
        const std::size_t begin = text_.size();
        if (!append_canonical_number(text_, text, is_integer))
            return false;
        add(kind::scalar, begin);
        return true;
    }
    void array(std::size_t count) { close(kind::array, count); }
    /// False where a name comes twice.
    bool object(std::size_t count)
    {
        close(kind::object, 2 * count);
        return sort(nodes_.back());
    }

    /// The value that has been told.
    void append_to(byte_buffer& out);

private:
    enum class kind : std::uint8_t { scalar, name, array, object };
    struct node {
        kind is;
        std::uint32_t begin; // in `text_`; of an array or object in `elements_`, of which members have two
        std::uint32_t size;
    };
    struct member {
        number_of_node name;
        number_of_node value;
    };
    struct open_node {
        number_of_node of;
        std::uint32_t next; // of its elements
    };

    std::string_view text(number_of_node of) const noexcept
    {
        return text_.view().substr(nodes_[of].begin, nodes_[of].size);
    }

    void add_word(std::string_view word)
    {
        const std::size_t begin = text_.size();
        text_.append(word);
        add(kind::scalar, begin);
    }
    void add(kind is, std::size_t begin) { add({is, narrow(begin), narrow(text_.size() - begin)}); }
    void add(node made)
    {
        ended_.push_back(narrow(nodes_.size()));
        nodes_.push_back(made);
    }
    void close(kind is, std::size_t count);
    bool sort(const node& object);
    void begin(byte_buffer& out, number_of_node of);

    static std::uint32_t narrow(std::size_t size) noexcept { return static_cast<std::uint32_t>(size); }

    byte_buffer text_;
    std::vector<node> nodes_;
    std::vector<number_of_node> elements_;
    std::vector<number_of_node> ended_; // what is no element of anything yet
    std::vector<open_node> open_;       // while it is written
};

void canonical_tree::close(kind is, std::size_t count)
{
    const node made = {is, narrow(elements_.size()), narrow(count)};
    const auto first = ended_.end() - static_cast<std::ptrdiff_t>(count);
    elements_.insert(elements_.end(), first, ended_.end());
    ended_.erase(first, ended_.end());
    add(made);
}

bool canonical_tree::sort(const node& object)
{
    std::vector<member> members;
    members.reserve(object.size / 2);
    for (std::size_t i = object.begin; i != object.begin + object.size; i += 2)
        members.push_back({elements_[i], elements_[i + 1]});
    std::sort(members.begin(), members.end(),
              [this](const member& a, const member& b) { return is_before(text(a.name), text(b.name)); });
    std::size_t to = object.begin;
    for (const member& one : members) {
        elements_[to++] = one.name;
        elements_[to++] = one.value;
    }
    return std::adjacent_find(members.begin(), members.end(), [this](const member& a, const member& b) {
               return text(a.name) == text(b.name);
           }) == members.end();
}

void canonical_tree::begin(byte_buffer& out, number_of_node of)
{
    switch (nodes_[of].is) {
    case kind::scalar: return out.append(text(of));
    case kind::name: write_string(out, text(of)); return out.push_back(':');
    case kind::array: out.push_back('['); break;
    case kind::object: out.push_back('{'); break;
    }
    open_.push_back({of, 0});
}

void canonical_tree::append_to(byte_buffer& out)
{
    begin(out, ended_.back());
    while (!open_.empty()) {
        open_node& top = open_.back();
        const node& its = nodes_[top.of];
        const bool is_object = its.is == kind::object;
        if (top.next == its.size) {
            out.push_back(is_object ? '}' : ']');
            open_.pop_back();
            continue;
        }
        if (top.next != 0 && (!is_object || top.next % 2 == 0))
            out.push_back(',');
        begin(out, elements_[its.begin + top.next++]);
    }
}

// The members of params that are for sessions, and that gateways and the caller's own session set. Profiles have their
// tokens for progress and for results in parts there, or in the metadata.
constexpr std::string_view names_left_out[] = {"_meta", "workDoneToken", "partialResultToken"};

// Tells the members of an object but those.
const char* scan_members(scanner& scan, const char* p, canonical_tree& into)
{
    std::string memory;
    std::size_t count = 0;
    bool is_good = true;
    bool are_left_out[std::size(names_left_out)] = {};
    scanner inner;
    inner.decode_half_pairs(scanner::half_pairs::refused);
    p = visit_members(scan, p, no_limit, memory, [&](const member_text& one) {
        const auto found = std::find(std::begin(names_left_out), std::end(names_left_out), one.name);
        if (found != std::end(names_left_out)) {
            const bool was_there = std::exchange(are_left_out[found - std::begin(names_left_out)], true);
            is_good = is_good && !was_there;
            return;
        }
        into.key(one.name, nullptr, count++);
        inner.start(one.value);
        is_good = is_good && inner.value(one.value.data(), into, no_limit);
    });
    return p && is_good && into.object(count) ? p : nullptr;
}

enum class kept_members : bool { all, of_the_call };

bool append_canonical(byte_buffer& out, std::string_view json, kept_members kept)
{
    if (json.size() > longest)
        return false;
    canonical_tree tree;
    scanner scan;
    scan.start(json);
    scan.decode_half_pairs(scanner::half_pairs::refused);
    const char* p = scanner::skip_space(json.data());
    const bool leaves_out = kept == kept_members::of_the_call && *p == '{';
    p = leaves_out ? scan_members(scan, p, tree) : scan.value(p, tree, no_limit);
    if (!p || !scan.at_end(p))
        return false;
    tree.append_to(out);
    return true;
}

} // namespace

bool append_canonical(byte_buffer& out, std::string_view json)
{
    return append_canonical(out, json, kept_members::all);
}

std::optional<token_digest> digest_of_params(std::string_view params)
{
    byte_buffer text;
    if (params.empty() || params == "null")
        text.append("{}");
    else if (!append_canonical(text, params, kept_members::of_the_call))
        return std::nullopt;
    const std::optional<token_digest> digest = digest_of(text.view());
    if (!digest)
        throw std::bad_alloc(); // libcrypto's only reason
    return digest;
}

} // namespace partyline::access
