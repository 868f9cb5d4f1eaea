#include <partyline/protocol/message.hpp>

#include "protocol/framing/envelope_skimmer.hpp"
#include "protocol/json/for_each_member.hpp"
#include "protocol/json/scanner.hpp"
#include "protocol/message/envelope_reader.hpp"
#include "protocol/message/id_reader.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace partyline {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

std::string_view between(const char* begin, const char* end)
{
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
}

} // namespace

struct message_reader::state {
    state(const limits& b, params_hint* ahead) : bounds(b), envelope(b, scan, ahead), skim(b.id_bytes) {}

    const message& read(std::string_view text);
    void release_memory() noexcept;
    const message& read_object(std::string_view text, const char* p);
    const message& read_batch(std::string_view text, const char* p);
    const message& read_other(std::string_view text, const char* p);
    std::size_t collect_elements(const char* p);
    const message& refuse(std::string_view text);
    const message& refuse(defect problem);
    const message& skim_too_deep(std::string_view text);
    bool find_id(std::string_view text, found_id& id);
    std::string_view find_member(std::string_view object, std::string_view name);
    std::string_view find_param(std::string_view name);
    void expect(std::string_view object);

    limits bounds;
    scanner scan;
    envelope_reader envelope;
    envelope_skimmer skim;
    message out;
    std::vector<std::string_view> elements;
    std::string skimmed_key;
    std::string found_key; // apart from the message's own, which stay valid while one looks into its params
    std::string found_name;
    std::string expected;
    bool is_large = false; // the last message was, and so may be what it left here
};

void message_reader::state::release_memory() noexcept
{
    envelope.release_memory();
    skimmed_key = found_key = found_name = std::string();
}

const message& message_reader::state::read(std::string_view text)
{
    constexpr std::size_t large = std::size_t(64) << 10;
    if (is_large) [[unlikely]]
        release_memory();
    is_large = text.size() > large;
    elements.clear();
    scan.start(text);
    const char* const p = scanner::skip_space(text.data());
    switch (*p) {
    case '{': return read_object(text, p);
    case '[': return read_batch(text, p);
    default: return read_other(text, p);
    }
}

const message& message_reader::state::read_object(std::string_view text, const char* p)
{
    return envelope.read(p, out) ? out : refuse(text);
}

const message& message_reader::state::read_batch(std::string_view text, const char* p)
{
    const std::size_t count = collect_elements(p);
    if (count != 0 && count <= bounds.batch_elements) {
        out = message();
        out.type = message_type::batch;
        return out;
    }
    elements.clear();
    if (scan.problem() != scanner::fault::none)
        return refuse(text);
    if (count == 0)
        return refuse({defect::kind::invalid, "empty batch", 0, 0, 0});
    return refuse({defect::kind::batch_too_long, "too many elements", 0, bounds.batch_elements, count});
}

// The number of elements, 0 when the scanner has noted a fault. Those over the limit are counted, not kept.
std::size_t message_reader::state::collect_elements(const char* p)
{
    std::size_t count = 0;
    p = scanner::skip_space(p + 1);
    for (bool is_more = *p != ']'; is_more;) {
        const char* const begin = p;
        if (!(p = scan.skip_value(p, std::max<std::size_t>(bounds.depth, 1) - 1)))
            return 0;
        if (++count <= bounds.batch_elements)
            elements.push_back(between(begin, p));
        p = scanner::skip_space(p);
        is_more = *p == ',';
        if (is_more)
            p = scanner::skip_space(p + 1);
    }
    if (*p != ']')
        scan.fail(p, "expected ',' or ']'");
    return *p == ']' && scan.at_end(p + 1) ? count : 0;
}

const message& message_reader::state::read_other(std::string_view text, const char* p)
{
    p = scan.skip_value(p, unlimited);
    if (!p || !scan.at_end(p))
        return refuse(text);
    return refuse({defect::kind::invalid, "expected an object or an array", 0, 0, 0});
}

const message& message_reader::state::refuse(std::string_view text)
{
    if (scan.problem() == scanner::fault::too_deep)
        return skim_too_deep(text);
    return refuse({defect::kind::not_json, scan.reason(), scan.offset(), 0, 0});
}

const message& message_reader::state::refuse(defect problem)
{
    out = message();
    out.problem = problem;
    return out;
}

const message& message_reader::state::skim_too_deep(std::string_view text)
{
    skim.reset();
    skim.feed(text);
    skim.finish();
    refuse({defect::kind::too_deep, "nested too deep", 0, bounds.depth, skim.depth()});
    if (skim.looks_like_response())
        out.type = message_type::reply;
    found_id id;
    if (!skim.id().empty()) {
        scan.start(skim.id());
        read_id(scan, skim.id().c_str(), 0, id, skimmed_key);
    }
    out.id = id.text;
    out.id_key = id.key;
    return out;
}

std::string_view message_reader::state::find_member(std::string_view object, std::string_view name)
{
    std::string_view found;
    for_each_member(scan, object, found_name, [&](const member_text& one) {
        if (one.name == name)
            found = one.value;
    });
    return found;
}

std::string_view message_reader::state::find_param(std::string_view name)
{
    const std::string_view params = out.params.text();
    if (params.empty())
        return {};
    const member_list& listed = envelope.list_of(params, found_name);
    return listed.is() == member_list::state::complete ? listed.find(name) : find_member(params, name);
}

void message_reader::state::expect(std::string_view object)
{
    constexpr std::size_t longest = 4096;
    const bool is_likely = object.starts_with('{') && object.size() <= longest;
    scan.expect({});
    scan.start(object);
    expected = is_likely && scan.skip_value(object.data(), scanner::expected_room) ? object : std::string_view();
    scan.expect(expected);
}

bool message_reader::state::find_id(std::string_view text, found_id& id)
{
    if (text.empty() || text.size() > bounds.id_bytes)
        return false;
    scan.start(text);
    return read_id(scan, text.data(), unlimited, id, found_key) && !id.text.empty();
}

message_reader::message_reader(const limits& bounds, params_hint* ahead)
    : state_(std::make_unique<state>(bounds, ahead))
{
}
message_reader::~message_reader() = default;
message_reader::message_reader(message_reader&&) noexcept = default;
message_reader& message_reader::operator=(message_reader&&) noexcept = default;

const message& message_reader::read(std::string_view text)
{
    return state_->read(text);
}

const std::vector<std::string_view>& message_reader::elements() const noexcept
{
    return state_->elements;
}

const message& message_reader::read_element(std::string_view element)
{
    state_->scan.start(element);
    if (element.front() == '{')
        return state_->read_object(element, element.data());
    return state_->refuse({defect::kind::invalid, "expected an object", 0, 0, 0});
}

bool message_reader::find_id(json_view object, std::string_view name, std::string_view& text, std::string_view& key)
{
    found_id id;
    if (!state_->find_id(state_->find_member(object.text(), name), id))
        return false;
    text = id.text;
    key = id.key;
    return true;
}

json_view message_reader::find_param(std::string_view name)
{
    return json_view::checked(state_->find_param(name));
}

void message_reader::expect(json_view object)
{
    state_->expect(object.text());
}

void message_reader::drop_value() noexcept
{
    state_->envelope.drop_value();
}

json_view message_reader::find_member(json_view object, std::string_view name)
{
    return json_view::checked(state_->find_member(object.text(), name));
}

} // namespace partyline
