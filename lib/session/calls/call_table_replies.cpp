#include "session/calls/call_table.hpp"
#include "session/calls/reply_reader.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace partyline {
namespace {

// JSON-RPC 2.0 §6: a batch that is no valid one, or that the peer can't serve, is answered as a whole, by one error
// without id.
bool is_refusal_of_batch(const message& m, bool is_element)
{
    return m.is_error && m.id == "null" && !is_element;
}

} // namespace

void call_table::on_response(const message& m, std::string_view text, bool is_element, outlet_number came_by,
                             std::uint64_t last_issued)
{
    const std::uint64_t id = number_of(m.id);
    outgoing_message* const asked = find(id);
    error_code failed;
    response reply = asked || tap_ ? read_reply(m, failed) : response();
    if (tap_) [[unlikely]] {
        const int code = reply.error() ? reply.error()->code : 0;
        const std::string_view method =
            asked ? std::string_view(asked->call(id - asked->first_id).method) : std::string_view();
        tap_.incoming_reply(m, code, text, is_element, came_by, method,
                            asked ? asked->begun : outgoing_message::clock::time_point());
    }
    if (outgoing_message* const refused = only_unanswered_batch(); refused && is_refusal_of_batch(m, is_element))
        return refuse_batch(*refused, m);
    if (!asked)
        return count_unasked(id, last_issued);
    if (failed)
        context_.counters.bad_replies.add();
    if (m.is_array)
        end_all(*asked, failed, reply);
    else
        end(*asked, id - asked->first_id, failed, std::move(reply));
}

void call_table::on_lost(const lost_reply& what, std::uint64_t last_issued, error_code why, const std::string& details)
{
    const std::uint64_t id = number_of(what.id);
    outgoing_message* const asked = find(id);
    if (!asked)
        return count_unasked(id, last_issued);
    if (what.is_of_batch)
        end_all(*asked, why, failed_with(why, details));
    else
        end(*asked, id - asked->first_id, why, failed_with(why, details));
}

void call_table::end_all(outgoing_message& message, error_code failed, const response& reply)
{
    const std::shared_ptr<outgoing_message> hold = message.shared_from_this();
    for (std::size_t i = 0; i != message.calls; ++i)
        end(message, i, failed, reply);
}

outgoing_message* call_table::only_unanswered_batch() const noexcept
{
    const bool is_sure = unanswered_calls_ == 0 && unanswered_batches_.size() == 1 && !has_given_up_unanswered_;
    return is_sure ? unanswered_batches_.front() : nullptr;
}

// What an error without id is about, nobody says; where it can be about a batch alone, it is that one's.
void call_table::refuse_batch(outgoing_message& refused, const message& m)
{
    constexpr std::size_t max_repeated = 1024; // of its text: each of a thousand calls gets a copy
    error_code failed;
    response reply = read_reply(m, failed);
    if (failed)
        context_.counters.bad_replies.add();
    if (reply.error() && m.outcome.text().size() > max_repeated)
        reply = error_object{reply.error()->code, "the peer refused the batch", std::nullopt};
    end_all(refused, failed, reply);
}

void call_table::count_unasked(std::uint64_t id, std::uint64_t last_issued)
{
    const bool was_asked = id != 0 && id <= last_issued && !open_.contains(id);
    (was_asked ? context_.counters.late_replies : context_.counters.stray_replies).add();
}

bool call_table::on_progress(std::string_view token, json_view value)
{
    outgoing_message* const about = find(number_of(token));
    if (!about || !about->wants_progress())
        return false;
    const std::shared_ptr<outgoing_message> hold = about->shared_from_this();
    about->last_progress = outgoing_message::clock::now();
    if (!about->options.on_progress())
        return true;
    try {
        about->options.on_progress()(value.to_value());
    } catch (const std::exception& e) {
        owner_.log(std::string("on_progress of a call threw: ") + exception_text(e));
    } catch (...) {
        owner_.log("on_progress of a call threw");
    }
    return true;
}

} // namespace partyline
