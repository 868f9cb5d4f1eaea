#include "session/conversation.hpp"

#include "protocol/message/id_reader.hpp"
#include "session/requests/error_replies.hpp"

namespace partyline {

// Whether the profile does not let it through; then it has been dealt with.
bool conversation::is_ruled_out(const message& m)
{
    switch (m.what) {
    case message::kind::batch:
        if (!profile_.has_batches)
            refuse(m, invalid_request_error("this protocol has no batches"));
        return !profile_.has_batches;
    case message::kind::request:
        if (!profile_.has_odd_ids && is_odd_id(m.id)) {
            counts_.requests.add();
            writer_.reject({}, m.method, invalid_request_error("\"id\" must be an integer or a string"), batch_.get());
            return true;
        }
        // One whose id is taken is refused for that, and changes nothing.
        return lifecycle_ && !in_flight_.find(m.id_key) && obey(m, lifecycle_->on_request(m, reader_));
    case message::kind::notification: return lifecycle_ && obey(m, lifecycle_->on_notification(m, reader_));
    default: return false;
    }
}

bool conversation::obey(const message& m, const ruling& by)
{
    if (by.process && host_)
        host_->watch_process(*by.process);
    if (!by.note.empty())
        log(by.note);
    switch (by.what) {
    case ruling::kind::serve: return false;
    case ruling::kind::accept:
        if (find_method(m.method))
            return false;
        counts_.requests.add();
        writer_.accept(m.id, m.method, batch_.get());
        note_answered(m.method, false);
        return true;
    case ruling::kind::drop:
    case ruling::kind::refuse: refuse(m, by.error); return true;
    case ruling::kind::end:
        counts_.notifications.add();
        stop(by.result, {errc::session_closed});
        return true;
    }
    return false;
}

void conversation::note_answered(std::string_view method, bool is_error)
{
    if (lifecycle_)
        lifecycle_->on_answered(method, is_error);
}

void conversation::note_answered(const served_request& done, bool is_error)
{
    note_answered(done.method(), is_error);
}

// There is no id to answer to; and when nobody knows where the next message begins, input is as good as over.
void conversation::on_bad_header(const frame& f)
{
    const error_object error = header_error(f.problem);
    if (tap_)
        ask_hook(message(), {});
    writer_.reject({}, {}, error, nullptr);
    if (f.is_broken)
        end_of_input({errc::bad_header, std::string(f.problem), true});
}

} // namespace partyline
