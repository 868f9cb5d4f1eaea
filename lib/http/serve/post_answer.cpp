#include "http/serve/post_answer.hpp"

#include "http/serve/error_fields.hpp"

#include <partyline/protocol/error.hpp>

#include <utility>

namespace partyline::http {
response busy()
{
    response answer = refuse(503, error_codes::server_busy, "Server busy");
    answer.fields = error_fields(answer.status, {}, nullptr);
    return answer;
}

void post_answer::begin(const accepted_types& accepts, response_style style, status_rule by, event_bracket& written,
                        const access_control* access)
{
    written_ = &written;
    access_ = access;
    written.forget_messages();
    accepts_ = accepts;
    style_ = std::move(style);
    rule_ = by;
    taken_ = message_type::bad;
    error_ = 0;
    was_served_ = false;
    json_ = {};
    json_bytes_ = 0;
}

post_answer::next post_answer::decide(outlet& from) const
{
    if (json_bytes_ != 0)
        return next::whole;
    const bool is_over = from.is_idle();
    if (from.empty())
        return is_over ? next::whole : next::wait;
    if (!is_over)
        return accepts_.event_stream ? next::events : next::skip;
    const bool takes_json = accepts_.json && written_->messages() == 1;
    return takes_json || !accepts_.event_stream ? next::whole : next::events;
}

std::string_view post_answer::reply_in(outlet& from) const
{
    if (from.empty())
        return {};
    return written_->messages() == 1 ? event_bracket::only_message(from.unsent())
                                     : event_bracket::last_message(from.unsent());
}

exchange::progress post_answer::append_whole(byte_buffer& out, outlet& from, reply_sink& line, std::string_view date)
{
    if (from.empty()) {
        line.begin_answer(202, style_);
        append_head(out, {202, {}, 0, {}, date}, style_);
        return exchange::progress::done;
    }
    if (json_bytes_ == 0) {
        json_ = reply_in(from);
        json_bytes_ = from.unsent().size();
        const int status = this->status();
        line.begin_answer(status, style_);
        if (status == 200) [[likely]]
            append_head(out, {200, "application/json", json_.size(), {}, date}, style_);
        else
            append_head(out, {status, "application/json", json_.size(), fields_of(status), date}, style_);
    }
    const std::string_view piece = json_.substr(0, exchange::most_at_once);
    out.append(piece);
    json_.remove_prefix(piece.size());
    if (!json_.empty())
        return exchange::progress::more;
    from.sent(json_bytes_);
    return exchange::progress::done;
}

// Tokens do not make up for a proof.
std::string post_answer::fields_of(int status) const
{
    return error_ == error_codes::proof_required ? std::string() : error_fields(status, json_, access_);
}

// A batch is answered, whatever stands in it. Where peers have scopes, handlers may ask for some, too.
int post_answer::status() const noexcept
{
    if (error_ == 0 || taken_ == message_type::batch)
        return 200;
    const bool is_by_scope = access_ && error_ == error_codes::insufficient_scope;
    return status_of_error(error_, was_served_ && !is_by_scope, rule_);
}

} // namespace partyline::http
