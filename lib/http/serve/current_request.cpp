#include "http/serve/current_request.hpp"

#include "http/serve/http_service.hpp"
#include "http/serve/post_answer.hpp"
#include "protocol/json/byte_order_mark.hpp"

#include <partyline/protocol/error.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace partyline::http {
namespace {

// So much of a body that nobody wants is read for the sake of the connection.
constexpr std::uint64_t most_discarded = std::uint64_t(64) << 10;

// No request has begun with them.
void skip_empty_lines(working_set& work) noexcept
{
    work.taken += work.head.size();
    work.begin_head();
    work.forget_taken();
}

bool can_discard_body(const request_head& head) noexcept
{
    const bool is_short = head.body == body_kind::length && head.content_length <= most_discarded;
    return head.body == body_kind::none || (is_short && !head.expects_continue);
}

} // namespace

current_request::current_request(http_service& core, connected_peer from, std::size_t before)
    : core_(core), peer_(std::move(from)), body_(core.options().session.budget.get()), number_(before)
{
}

bool current_request::has_begun(working_set& work) noexcept
{
    constexpr std::string_view line_end = "\r\n";
    while (work.untaken().starts_with(line_end))
        work.taken += line_end.size();
    work.forget_taken();
    return !line_end.starts_with(work.untaken());
}

current_request::progress current_request::read(working_set& work)
{
    if (!has_head_) {
        const progress head = read_head(work);
        return head == progress::complete ? read_body(work) : head;
    }
    const progress body = read_body(work);
    if (body == progress::complete && facts_.grant && !known_) [[unlikely]]
        known_ = core_.renew_access(work.head.head(), facts_);
    return body;
}

current_request::progress current_request::read_head(working_set& work)
{
    if (work.untaken().empty())
        return progress::more;
    switch (work.head.read(work.untaken())) {
    case head_reader::state::more:
        if (!work.head.has_begun())
            skip_empty_lines(work);
        return progress::more;
    case head_reader::state::refused:
        begin_unread();
        return refuse(http::refuse(work.head.why().status, error_codes::invalid_request, work.head.why().reason));
    case head_reader::state::done: break;
    }
    if (core_.is_one_of_many() && !core_.has_session_of(work.head.head())) [[unlikely]]
        return progress::elsewhere;
    has_head_ = true;
    return on_head(work);
}

current_request::progress current_request::on_head(working_set& work)
{
    const request_head& head = work.head.head();
    const bool is_last = ++number_ >= core_.options().requests.requests_per_connection;
    facts_.style = {};
    facts_.grant.reset();
    facts_.style.is_for_http_1_0 = head.is_http_1_0;
    facts_.style.is_for_head = head.method == "HEAD";
    facts_.style.closes = !head.keeps_alive || is_last;
    record_.begin(core_.log(), head, peer_.identity);
    work.taken += work.head.size();
    known_ = core_.check_head(head, peer_, facts_);
    if (facts_.grant) [[unlikely]]
        record_.note_principal(*facts_.grant->peer);
    work.body.start(head);
    if (work.body.current() == body_reader::state::refused && !known_)
        known_ = http::refuse(work.body.why().status, error_codes::invalid_request, work.body.why().reason);
    if (known_)
        return can_discard_body(head) ? progress::complete : progress::refused; // the connection may go on, or can't
    if (head.expects_continue && work.body.current() == body_reader::state::more && work.untaken().empty())
        work.out.append("HTTP/1.1 100 Continue\r\n\r\n");
    return progress::complete;
}

current_request::progress current_request::read_body(working_set& work)
{
    if (work.body.current() == body_reader::state::done)
        return progress::complete;
    std::size_t used = 0;
    const body_reader::state now = work.body.read(work.untaken(), used, work.content);
    if (now == body_reader::state::more)
        work.keep_head();
    work.taken += used;
    work.forget_taken();
    if (known_)
        work.content.clear();
    if (now == body_reader::state::refused)
        return refuse(http::refuse(work.body.why().status, error_codes::invalid_request, work.body.why().reason));
    if (!has_room_for(work.content.size()))
        return refuse(busy());
    return now == body_reader::state::more ? progress::more : progress::complete;
}

current_request::progress current_request::refuse(response why)
{
    known_ = std::move(why);
    return progress::refused;
}

// What all bodies under way take counts with what conversations hold. Small ones are read whatever the others take.
bool current_request::has_room_for(std::size_t body) noexcept
{
    body_.set(body);
    return body <= memory_budget::always || !body_.is_used_up();
}

std::optional<response> current_request::take_known_answer() noexcept
{
    return std::exchange(known_, std::nullopt);
}

request current_request::take(working_set& work)
{
    record_.note_body(work.content.size());
    if (work.content.starts_with(byte_order_mark))
        work.content.erase(0, byte_order_mark.size());
    forget_body();
    const request_head& head = work.head.head();
    access_record* const record = record_ ? &record_ : nullptr;
    return {head,  std::exchange(work.content, {}), accepted_by(head), facts_.style, peer_.identity, facts_.grant,
            record};
}

void current_request::begin_unread()
{
    facts_ = {};
    record_.begin(core_.log(), {}, peer_.identity);
}

void current_request::break_off() noexcept
{
    known_.reset();
    if (!has_head_)
        facts_ = {};
}

void current_request::end(working_set& work) noexcept
{
    record_.end(work.unsent().size());
    forget_body();
    has_head_ = false;
    work.begin_head();
    work.forget_taken();
}

} // namespace partyline::http
