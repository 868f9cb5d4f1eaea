#include "protocol/message/message_parser.hpp"

#include "protocol/json/for_each_member.hpp"

#include <algorithm>
#include <limits>

namespace partyline {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// Of a batch over the limit these are kept all the same, so that each can be refused by its id.
std::size_t most_kept(std::size_t batch_elements)
{
    constexpr std::size_t factor = 4;
    return batch_elements > unlimited / factor ? unlimited : batch_elements * factor;
}

std::string_view between(const char* begin, const char* end)
{
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

} // namespace

void message_parser::serve(const terms& of, std::string_view expected) noexcept
{
    terms_ = of;
    envelope_.serve(of.depth, of.id_bytes, of.ahead);
    envelope_.replace_half_pairs(of.halves == lone_surrogates::replaced);
    scan_.expect(expected);
}

void message_parser::forget() noexcept
{
    envelope_.drop_value();
    out_.params = {};
    elements_.clear();
}

void message_parser::release_memory() noexcept
{
    envelope_.release_memory();
    skimmed_key_ = found_key_ = found_name_ = std::string();
}

const message& message_parser::read(std::string_view text)
{
    constexpr std::size_t large = std::size_t(64) << 10;
    if (is_large_) [[unlikely]]
        release_memory();
    is_large_ = text.size() > large;
    is_small_ = is_small_ && !is_large_;
    elements_.clear();
    scan_.start(text);
    const char* const p = scanner::skip_space(text.data());
    switch (*p) {
    case '{': return read_object(text, p);
    case '[': return read_batch(text, p);
    default: return read_other(text, p);
    }
}

const message& message_parser::read_element(std::string_view element)
{
    scan_.start(element);
    if (element.front() == '{')
        return read_object(element, element.data());
    return refuse({defect::kind::invalid, "expected an object", 0, 0, 0});
}

const message& message_parser::read_object(std::string_view text, const char* p)
{
    return envelope_.read(p, out_) ? out_ : refuse(text);
}

const message& message_parser::read_batch(std::string_view text, const char* p)
{
    const std::size_t count = collect_elements(p);
    if (scan_.problem() != scanner::fault::none) {
        elements_.clear();
        return refuse(text);
    }
    if (count == 0)
        return refuse({defect::kind::invalid, "empty batch", 0, 0, 0});
    out_ = message();
    if (count > terms_.batch_elements)
        out_.problem = {defect::kind::batch_too_long, "too many elements", 0, terms_.batch_elements, count};
    if (count <= most_kept(terms_.batch_elements)) {
        out_.type = message_type::batch;
    } else {
        elements_.clear();
        note_response(text);
    }
    return out_;
}

// The number of elements, 0 when the scanner has noted a fault. Those that are far too many are counted, not kept.
std::size_t message_parser::collect_elements(const char* p)
{
    std::size_t count = 0;
    const std::size_t most = most_kept(terms_.batch_elements);
    p = scanner::skip_space(p + 1);
    for (bool is_more = *p != ']'; is_more;) {
        const char* const begin = p;
        if (!(p = scan_.skip_value(p, std::max<std::size_t>(terms_.depth, 1) - 1)))
            return 0;
        if (++count <= most)
            elements_.push_back(between(begin, p));
        p = scanner::skip_space(p);
        is_more = *p == ',';
        if (is_more)
            p = scanner::skip_space(p + 1);
    }
    if (*p != ']')
        scan_.fail(p, "expected ',' or ']'");
    return *p == ']' && scan_.at_end(p + 1) ? count : 0;
}

const message& message_parser::read_other(std::string_view text, const char* p)
{
    p = scan_.skip_value(p, unlimited);
    if (!p || !scan_.at_end(p))
        return refuse(text);
    return refuse({defect::kind::invalid, "expected an object or an array", 0, 0, 0});
}

// What can't be read may still name the call that it is the reply to. Who asks something in what is no JSON is told no
// id (JSON-RPC 2.0 §5): nobody knows what else it stands for.
const message& message_parser::refuse(std::string_view text)
{
    const bool is_too_deep = scan_.problem() == scanner::fault::too_deep;
    refuse({defect::kind::not_json, scan_.reason(), scan_.offset(), 0, 0});
    note_response(text);
    if (!is_too_deep)
        return out_;
    out_.problem = {defect::kind::too_deep, "nested too deep", 0, terms_.depth, skim_->depth()};
    if (!skim_->is_array())
        read_skimmed_id();
    return out_;
}

const message& message_parser::refuse(defect problem)
{
    out_ = message();
    out_.problem = problem;
    return out_;
}

// Says so of what can't be read and looks like a response.
void message_parser::note_response(std::string_view text)
{
    skim_.emplace(terms_.id_bytes);
    skim_->feed(text);
    skim_->finish();
    if (!skim_->looks_like_response())
        return;
    out_.type = message_type::reply;
    out_.is_array = skim_->is_array();
    read_skimmed_id();
}

void message_parser::read_skimmed_id()
{
    found_id id;
    if (!skim_->id().empty()) {
        scan_.start(skim_->id());
        read_id(scan_, skim_->id().c_str(), 0, id, skimmed_key_);
    }
    out_.id = id.text;
    out_.id_key = id.key;
}

std::string_view message_parser::find_member(std::string_view object, std::string_view name)
{
    std::string_view found;
    for_each_member(scan_, object, found_name_, [&](const member_text& one) {
        if (one.name == name)
            found = one.value;
    });
    return found;
}

std::string_view message_parser::find_param(std::string_view name)
{
    const std::string_view params = out_.params.text();
    if (params.empty())
        return {};
    const member_list& listed = envelope_.list_of(params, found_name_);
    return listed.is() == member_list::state::complete ? listed.find(name) : find_member(params, name);
}

bool message_parser::is_likely(std::string_view object)
{
    constexpr std::size_t longest = 4096;
    if (!object.starts_with('{') || object.size() > longest)
        return false;
    scan_.start(object);
    return scan_.skip_value(object.data(), scanner::expected_room) != nullptr;
}

found_id message_parser::find_id(std::string_view object, std::string_view name)
{
    found_id id;
    const std::string_view text = find_member(object, name);
    if (text.empty() || text.size() > terms_.id_bytes)
        return id;
    scan_.start(text);
    return read_id(scan_, text.data(), unlimited, id, found_key_) ? id : found_id();
}

} // namespace partyline
