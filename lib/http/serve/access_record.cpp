#include "http/serve/access_record.hpp"

#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <new>
#include <string>
#include <utility>

namespace json = boost::json;

namespace partyline::http {
namespace {

constexpr std::size_t longest_told = 256;

std::string told(std::string_view text)
{
    return std::string(text.substr(0, longest_told));
}

std::string name_of(const peer_identity& peer)
{
    if (peer.address)
        return peer.address->ip.to_string();
    return peer.local ? "user " + std::to_string(peer.local->user) : std::string();
}

} // namespace

struct access_record::facts {
    const line_writer& log;
    clock::time_point began;
    std::string peer;
    std::string principal;
    std::string method;
    std::string path;
    std::string called = {}; // the method of JSON-RPC; empty where none was read
    std::size_t bytes_in = 0;
    std::size_t bytes_out = 0;
    std::size_t elements = 0; // of a batch
    std::size_t errors = 0;   // of its replies
    int error = 0;            // the last one
    int status = 0;
};

access_record::access_record() noexcept = default;
access_record::~access_record() = default;

void access_record::begin(const line_writer& log, const request_head& head, const peer_identity& peer)
{
    if (!log)
        return;
    // Without the query, which may have secrets.
    facts_.reset(
        new facts{log, clock::now(), name_of(peer), peer.principal, told(head.method), redacted(told(head.path))});
}

void access_record::note_principal(const peer_identity& peer)
{
    if (facts_)
        facts_->principal = peer.principal;
}

void access_record::note_body(std::size_t bytes) noexcept
{
    if (facts_)
        facts_->bytes_in = bytes;
}

void access_record::note_status(int status) noexcept
{
    if (facts_)
        facts_->status = status;
}

void access_record::note_sent(std::size_t bytes) noexcept
{
    if (facts_)
        facts_->bytes_out += bytes;
}

void access_record::note_message(std::string_view method) noexcept
try {
    if (facts_)
        facts_->called = printable(redacted(method.substr(0, 2 * longest_told)), longest_told);
} catch (const std::bad_alloc&) { // the line goes without it
}

void access_record::note_batch(std::size_t elements) noexcept
{
    if (facts_)
        facts_->elements = elements;
}

void access_record::note_error(int code) noexcept
{
    if (!facts_)
        return;
    facts_->error = code;
    ++facts_->errors;
}

void access_record::end(std::size_t unsent) noexcept
{
    const std::unique_ptr<facts> known = std::move(facts_);
    if (!known)
        return;
    try {
        const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - known->began);
        const auto at =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
        // Boost.JSON escapes what commands terminals; what is no ASCII can't be in a method or a path.
        json::object line{{"time_ms", at.count()},
                          {"peer", known->peer},
                          {"method", known->method},
                          {"path", known->path},
                          {"status", known->status},
                          {"bytes_in", known->bytes_in},
                          {"bytes_out", known->bytes_out + unsent},
                          {"us", taken.count()}};
        if (!known->principal.empty())
            line.emplace("principal", known->principal);
        if (!known->called.empty())
            line.emplace("rpc", known->called);
        if (known->elements != 0) {
            line.emplace("batch", known->elements);
            line.emplace("errors", known->errors);
        } else if (known->errors != 0)
            line.emplace("code", known->error);
        known->log(json::serialize(line));
    } catch (...) { // no memory, or a log that throws: the request has been answered all the same
    }
}

} // namespace partyline::http
