#include <partyline/telemetry/message_line.hpp>

#include "telemetry/json_text.hpp"
#include "telemetry/outcome.hpp"

#include <charconv>
#include <concepts>
#include <string_view>
#include <utility>

namespace partyline::telemetry {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Writes the members of the one object of a line.
class line_writer {
public:
    line_writer() { text_.reserve(usual_bytes); }

    template <std::integral Number>
    void add(std::string_view name, Number value)
    {
        char digits[24];
        add_raw(name, {digits, std::to_chars(digits, digits + sizeof digits, value).ptr});
    }
    void add_raw(std::string_view name, std::string_view json)
    {
        begin(name);
        text_ += json;
    }
    void add_text(std::string_view name, std::string_view value)
    {
        begin(name);
        append_text(text_, value);
    }
    void add_text_if_any(std::string_view name, std::string_view value)
    {
        if (!value.empty())
            add_text(name, value);
    }
    void add_peer_text(std::string_view name, std::string_view value)
    {
        begin(name);
        append_peer_text(text_, value);
    }
    void add_id(std::string_view id)
    {
        begin("id");
        append_id(text_, id);
    }
    std::string take()
    {
        text_ += '}';
        return std::move(text_);
    }

private:
    static constexpr std::size_t usual_bytes = 320;

    void begin(std::string_view name)
    {
        text_ += text_.empty() ? "{\"" : ",\"";
        text_ += name;
        text_ += "\":";
    }

    std::string text_;
};

std::string address_of(const peer_identity& peer)
{
    if (peer.address) {
        const bool is_v6 = peer.address->ip.is_v6();
        const std::string host = peer.address->ip.to_string();
        return (is_v6 ? '[' + host + ']' : host) + ':' + std::to_string(peer.address->port);
    }
    if (peer.local)
        return "uid " + std::to_string(peer.local->user) + " pid " + std::to_string(peer.local->process);
    return {};
}

} // namespace

std::string message_line(const served_event& event, std::chrono::system_clock::time_point now)
{
    line_writer line;
    line.add("time_ms", duration_cast<milliseconds>(now.time_since_epoch()).count());
    line.add("connection", event.outlet);
    line.add_text_if_any("peer", address_of(event.peer));
    line.add_text_if_any("principal", event.peer.principal);
    line.add_peer_text("method", event.method);
    if (!event.key.empty())
        line.add_peer_text("key", event.key);
    if (!event.id.empty())
        line.add_id(event.id);
    line.add_raw("element", event.is_element ? "true" : "false");
    line.add_text("outcome", to_string(outcome_of(event)));
    line.add("code", event.error_code);
    line.add("us", duration_cast<microseconds>(event.ended - event.arrived).count());
    line.add("bytes_in", event.bytes_in);
    line.add("bytes_out", event.bytes_out);
    if (event.trace)
        line.add_text("trace", event.trace->trace_id());
    return line.take();
}

} // namespace partyline::telemetry
