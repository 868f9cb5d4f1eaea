#include "session/served_record.hpp"

#include "session/call_signer.hpp"
#include "session/current_exception.hpp"
#include "session/session_context.hpp"

#include <partyline/session/log.hpp>

#include <new>

namespace partyline {
namespace {

using clock = std::chrono::steady_clock;

const peer_identity& peer_of(const session_context& session) noexcept
{
    static const peer_identity unknown;
    const peer_identity* const known = session.peer();
    return known ? *known : unknown;
}

void tell_hook(const session_options& options, const served_event& event) noexcept
{
    try {
        options.on_served(event);
    } catch (...) {
        try {
            write_log(options.log, "session_options::on_served has failed: " + current_exception_text());
        } catch (...) { // no memory for the line
        }
    }
}

// An idle worker keeps its last record, whose texts are as long as the peer likes.
void release_memory(std::string& text) noexcept
{
    if (text.capacity() > std::string().capacity()) [[unlikely]]
        std::string().swap(text);
}

} // namespace

struct served_record::facts {
    facts(const session_context& of, const arrived_message& m)
        : session(of), method(m.what.method), id(m.what.id), arrived(m.at), bytes_in(m.bytes), outlet(m.outlet),
          is_element(m.is_element)
    {
    }

    const session_context& session;
    std::string method;
    std::string id;
    std::string key;
    std::string version; // of the protocol
    std::optional<trace_context> trace;
    std::shared_ptr<const call_signer> signer;
    const clock::time_point arrived;
    const std::size_t bytes_in;
    std::size_t bytes_out = 0;
    const outlet_number outlet;
    int error_code = 0;
    answer_outcome outcome = answer_outcome::none;
    const bool is_element;
    bool is_told = false;
};

served_record::served_record(const session_context& session, const arrived_message& message)
{
    try {
        facts_ = new facts(session, message);
    } catch (const std::bad_alloc&) {
        served_event event{.peer = peer_of(session)};
        event.method = message.what.method;
        event.id = message.what.id;
        event.disposition = request_disposition::lost;
        event.is_element = message.is_element;
        event.arrived = message.at;
        event.ended = message.at;
        event.outlet = message.outlet;
        event.bytes_in = message.bytes;
        tell_hook(session.options, event);
        throw;
    }
}

void served_record::set_key(std::string key) noexcept
{
    facts_->key = std::move(key);
}

void served_record::set_trace(trace_context trace) noexcept
{
    facts_->trace = std::move(trace);
}

void served_record::set_protocol_version(std::string version) noexcept
{
    facts_->version = std::move(version);
}

void served_record::keep_signer(std::shared_ptr<const call_signer> by) const noexcept
{
    facts_->signer = std::move(by);
}

const trace_context* served_record::known_trace() const noexcept
{
    return facts_->trace ? &*facts_->trace : nullptr;
}

void served_record::keep_answer(std::optional<int> error, std::size_t bytes) const noexcept
{
    facts_->outcome = error ? answer_outcome::error : answer_outcome::result;
    facts_->error_code = error.value_or(0);
    facts_->bytes_out = bytes;
}

void served_record::keep_error(int code) const noexcept
{
    facts_->error_code = code;
}

// The trace stays: a handler that was given up may still ask for it.
void served_record::tell(request_disposition how, bool is_tool_error) const noexcept
{
    facts& known = *facts_;
    if (std::exchange(known.is_told, true))
        return;
    served_event event{.peer = known.signer ? known.signer->peer : peer_of(known.session)};
    event.method = known.method;
    event.key = known.key;
    event.id = known.id;
    event.disposition = how;
    event.is_tool_error = is_tool_error;
    event.is_element = known.is_element;
    event.arrived = known.arrived;
    event.ended = clock::now();
    event.protocol_version = known.version;
    event.session_digest = known.session.options.session_digest;
    event.trace = known_trace();
    event.outlet = known.outlet;
    event.bytes_in = known.bytes_in;
    if (how != request_disposition::lost) {
        event.outcome = known.outcome;
        event.error_code = known.error_code;
        event.bytes_out = known.bytes_out;
    }
    tell_hook(known.session.options, event);
    for (std::string* const text : {&known.method, &known.id, &known.key, &known.version})
        release_memory(*text);
}

void served_record::destroy() noexcept
{
    lose();
    delete std::exchange(facts_, nullptr);
}

} // namespace partyline
