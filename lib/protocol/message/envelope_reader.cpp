#include "protocol/message/envelope_reader.hpp"

#include "protocol/json/surrogates.hpp"
#include "protocol/json/value_memory.hpp"
#include "protocol/message/id_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace partyline {
namespace {

/// Eight bytes as one number, for comparing them all at once.
std::uint64_t eight_at(const char* p) noexcept
{
    std::uint64_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

consteval std::uint64_t eight_of(const char (&text)[9])
{
    std::array<char, 8> bytes{};
    std::copy_n(text, bytes.size(), bytes.begin());
    return std::bit_cast<std::uint64_t>(bytes);
}

bool is_at(const char* p, std::string_view text) noexcept
{
    return std::memcmp(p, text.data(), text.size()) == 0;
}

} // namespace

void envelope_reader::serve(std::size_t depth, std::size_t id_bytes, message_reader::params_hint* ahead) noexcept
{
    max_id_bytes_ = id_bytes;
    room_ = std::max<std::size_t>(depth, 1) - 1;
    ahead_ = ahead;
}

namespace {

// Not by assigning a new one, which costs 90 instructions. What only replies have is set where one is read.
inline void begin(message& out) noexcept
{
    out.type = message_type::bad;
    out.id = out.id_key = out.method = {};
    out.params = {};
    out.is_hollow = false;
    out.problem = {};
}

} // namespace

bool envelope_reader::read(const char* p, message& out)
{
    begin(out);
    out_ = &out;
    seen_ = 0;
    builder_.drop();
    listed_.forget();
    p = read_members(p);
    if (!p || !scan_.at_end(p)) {
        out = message();
        return false;
    }
    classify();
    if (replaces_) [[unlikely]]
        replace_half_pairs();
    return true;
}

void envelope_reader::replace_half_pairs()
{
    if (out_->type == message_type::reply)
        replace_half_pairs(out_->outcome, nullptr);
    else if (replace_half_pairs(out_->params, &builder_))
        listed_.forget();
}

// False where there can be none.
bool envelope_reader::replace_half_pairs(json_view& in, value_builder* built)
{
    if (in.text().find("\\u") == std::string_view::npos)
        return false;
    replaced_ = in.text();
    replace_lone_surrogates(replaced_);
    in = json_view::checked(replaced_, built);
    return true;
}

// Most clients write the version first, and no space: what everybody begins with is compared as a whole.
inline const char* envelope_reader::skip_usual_begin(const char* p) noexcept
{
    constexpr std::string_view usual = R"({"jsonrpc":"2.0",)";
    if (scan_.end() - p <= static_cast<std::ptrdiff_t>(usual.size()) || !is_at(p, usual)) [[unlikely]]
        return nullptr;
    seen_ = static_cast<unsigned>(member::jsonrpc);
    return p + usual.size();
}

inline const char* envelope_reader::read_members(const char* p)
{
    if (const char* const behind = skip_usual_begin(p)) [[likely]] {
        p = scanner::skip_space(behind);
    } else {
        p = scanner::skip_space(p + 1);
        if (*p == '}')
            return p + 1;
    }
    while ((p = read_member(p))) {
        p = scanner::skip_space(p);
        if (*p != ',')
            return *p == '}' ? p + 1 : scan_.fail(p, "expected ',' or '}'");
        p = scanner::skip_space(p + 1);
    }
    return nullptr;
}

envelope_reader::member envelope_reader::member_of(std::string_view name) noexcept
{
    switch (name.size()) {
    case 2: return name == "id" ? member::id : member::other;
    case 5: return name == "error" ? member::error : member::other;
    case 6:
        if (name == "method")
            return member::method;
        return name == "params" ? member::params : name == "result" ? member::result : member::other;
    case 7: return name == "jsonrpc" ? member::jsonrpc : member::other;
    default: return member::other;
    }
}

// The names as everybody writes them, quotes and all: each is told by its first eight bytes. Null for any other.
inline const char* envelope_reader::skip_known_name(const char* p, member& which) const noexcept
{
    switch (eight_at(p)) {
    case eight_of(R"("jsonrpc)"): which = member::jsonrpc; return p[8] == '"' ? p + 9 : nullptr;
    case eight_of(R"("method")"): which = member::method; return p + 8;
    case eight_of(R"("params")"): which = member::params; return p + 8;
    case eight_of(R"("result")"): which = member::result; return p + 8;
    default: which = member::id; return is_at(p, R"("id")") ? p + 4 : nullptr;
    }
}

inline const char* envelope_reader::read_name(const char* p, member& which)
{
    if (scan_.end() - p > 8) [[likely]] {
        if (const char* const behind = skip_known_name(p, which)) [[likely]]
            return scan_.colon(behind);
    }
    std::string_view name;
    p = scan_.read_name(p, name, name_);
    which = member_of(name);
    return p;
}

// Its one caller is the loop over the members, which gcc 12 otherwise leaves it out of: 70 instructions a request.
[[gnu::always_inline]] inline const char* envelope_reader::read_member(const char* p)
{
    member which = member::other;
    p = read_name(p, which);
    if (!p)
        return nullptr;
    if (has(which)) [[unlikely]]
        return read_duplicate(p, which);
    seen_ |= static_cast<unsigned>(which);
    switch (which) {
    case member::jsonrpc: return read_version(p);
    case member::id: return read_id_member(p);
    case member::method: return read_method(p);
    case member::params: return read_params(p);
    case member::result:
    case member::error: return read_outcome(p, which);
    default: return scan_.skip_value(p, room_);
    }
}

// Parsers differ in which of two they take; we take neither.
const char* envelope_reader::read_duplicate(const char* p, member which)
{
    switch (which) {
    case member::jsonrpc: note("duplicate \"jsonrpc\""); break;
    case member::method: note("duplicate \"method\""); break;
    case member::params: note("duplicate \"params\""); break;
    case member::result: note("duplicate \"result\""); break;
    case member::error: note("duplicate \"error\""); break;
    default: note("duplicate \"id\""); out_->id = out_->id_key = {};
    }
    return scan_.skip_value(p, room_);
}

const char* envelope_reader::read_version(const char* p)
{
    std::string_view version;
    p = *p == '"' ? scan_.read_string(p, version, name_) : scan_.skip_value(p, room_);
    if (version != "2.0")
        note("\"jsonrpc\" must be \"2.0\"");
    return p;
}

inline const char* envelope_reader::read_id_member(const char* p)
{
    found_id id;
    if (const char* const behind = skip_plain_integer(p)) [[likely]] {
        id.text = id.key = std::string_view(p, static_cast<std::size_t>(behind - p));
        p = behind;
    } else {
        p = read_id(scan_, p, room_, id, id_key_);
    }
    if (id.text.size() > max_id_bytes_) [[unlikely]] {
        note(defect{defect::kind::id_too_long, "the id is too long", 0, max_id_bytes_, id.text.size()});
    } else if (id.text.empty()) {
        note("\"id\" must be a string, a number or null");
    } else {
        out_->id = id.text;
        out_->id_key = id.key;
    }
    return p;
}

inline const char* envelope_reader::read_method(const char* p)
{
    if (*p == '"') [[likely]]
        return scan_.read_string(p, out_->method, method_);
    note("\"method\" must be a string");
    return scan_.skip_value(p, room_);
}

inline bool envelope_reader::is_value_wanted(const char* p)
{
    return ahead_ && has(member::method) &&
           ahead_->wants_value(out_->method, static_cast<std::size_t>(scan_.end() - p));
}

inline const char* envelope_reader::build_params(const char* p)
{
    const char* const begin = p;
    p = builder_.read(scan_, begin, room_, value_memory::for_text(static_cast<std::size_t>(scan_.end() - begin)));
    if (!p && scan_.problem() == scanner::fault::refused) // valid all the same: whoever asks for the value is told
        p = scan_.skip_value(begin, room_);
    return p;
}

const char* envelope_reader::list_params(const char* p)
{
    listed_.begin();
    return visit_members(scan_, p, room_, name_, [this](const member_text& one) { listed_.add(one); });
}

const member_list& envelope_reader::list_of(std::string_view params, std::string& memory)
{
    lists_params_ = true;
    if (listed_.is() == member_list::state::unknown) {
        listed_.begin();
        for_each_member(scan_, params, memory, [this](const member_text& one) { listed_.add(one); });
    }
    return listed_;
}

inline const char* envelope_reader::read_params(const char* p)
{
    const char* const begin = p;
    const bool is_structured = *p == '{' || *p == '[';
    if (is_structured && is_value_wanted(p))
        p = build_params(p);
    else
        p = lists_params_ && *p == '{' ? list_params(p) : scan_.skip_value(p, room_);
    if (p && is_structured)
        out_->params = json_view::checked({begin, static_cast<std::size_t>(p - begin)}, &builder_);
    else if (*begin != 'n') // null stands for none: real clients send it
        note("\"params\" must be an array or an object");
    return p;
}

const char* envelope_reader::read_outcome(const char* p, member which)
{
    const char* const begin = p;
    p = scan_.skip_value(p, room_);
    if (!p)
        return nullptr;
    out_->outcome = json_view::checked({begin, static_cast<std::size_t>(p - begin)});
    out_->is_error = which == member::error;
    return p;
}

inline void envelope_reader::classify()
{
    const bool has_outcome = has(member::result) || has(member::error);
    if (has_outcome && !has(member::method)) {
        check_response();
        out_->type = message_type::reply;
        out_->is_array = false;
        return;
    }
    if (has_outcome)
        note("\"method\" beside \"result\" or \"error\"");
    check_call();
    if (out_->problem.what == defect::kind::none) [[likely]] {
        out_->type = has(member::id) ? message_type::request : message_type::notification;
    } else {
        out_->method = {};
        out_->params = {};
    }
}

inline void envelope_reader::check_call()
{
    if (!has(member::jsonrpc))
        note("\"jsonrpc\" is missing");
    if (!has(member::method))
        note("\"method\" is missing");
    out_->is_hollow = !has(member::method) && !has(member::params) && has(member::id);
}

void envelope_reader::check_response()
{
    if (!has(member::jsonrpc))
        note("\"jsonrpc\" is missing");
    if (!has(member::id))
        note("\"id\" is missing");
    if (has(member::result) && has(member::error))
        note("\"result\" beside \"error\"");
}

void envelope_reader::note(const char* reason)
{
    note(defect{defect::kind::invalid, reason, 0, 0, 0});
}

// The first problem is the one that is told.
void envelope_reader::note(const defect& problem)
{
    if (out_->problem.what == defect::kind::none)
        out_->problem = problem;
}

} // namespace partyline
