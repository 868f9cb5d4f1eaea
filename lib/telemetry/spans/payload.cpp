#include "telemetry/spans/payload.hpp"

#include "telemetry/json_text.hpp"
#include "telemetry/mcp_names.hpp"

#include <algorithm>

namespace partyline::telemetry {
namespace {

// The values of OTLP's enumerations.
constexpr std::string_view kind_server = "2";
constexpr std::string_view kind_client = "3";
constexpr std::string_view status_error = "2";

constexpr std::string_view rpc_system = "jsonrpc";

// Writes a list of attributes.
class attribute_list {
public:
    explicit attribute_list(std::string& out) : out_(out) { out_ += '['; }
    void end() { out_ += ']'; }

    void add(std::string_view name, std::string_view value)
    {
        begin(name);
        out_ += R"("stringValue":)";
        append_text(out_, value);
        out_ += "}}";
    }
    void add_of_peer(std::string_view name, std::string_view value)
    {
        if (value.empty())
            return;
        begin(name);
        out_ += R"("stringValue":)";
        append_peer_text(out_, value);
        out_ += "}}";
    }
    void add_number(std::string_view name, unsigned value)
    {
        begin(name);
        out_ += R"("intValue":")" + std::to_string(value) + R"("}})";
    }

private:
    void begin(std::string_view name)
    {
        if (!is_first_)
            out_ += ',';
        is_first_ = false;
        out_ += R"({"key":)";
        append_text(out_, name);
        out_ += R"(,"value":{)";
    }

    std::string& out_;
    bool is_first_ = true;
};

void append_member(std::string& out, std::string_view name, std::string_view text)
{
    out += ",\"";
    out += name;
    out += "\":\"";
    out += text;
    out += '"';
}

std::string_view to_string(span_transport transport) noexcept
{
    switch (transport) {
    case span_transport::tcp: return "tcp";
    case span_transport::unix_socket: return "unix";
    case span_transport::pipe: return "pipe";
    case span_transport::unknown: break;
    }
    return {};
}

// Also a notification whose handler has ended with an error.
bool is_failed(const span& one) noexcept
{
    const bool has_ended_well = one.outcome == served_outcome::result || one.outcome == served_outcome::notification;
    return !has_ended_well || one.error_code != 0;
}

std::string error_type(const span& of)
{
    if (of.error_code != 0)
        return std::to_string(of.error_code);
    return std::string(of.failure.empty() ? to_string(of.outcome) : of.failure);
}

// As text, without the quotes of JSON.
std::string_view bare(std::string_view id) noexcept
{
    return id.size() >= 2 && id.starts_with('"') && id.ends_with('"') ? id.substr(1, id.size() - 2) : id;
}

// OTLP wants one that is not empty; what is no request has no method.
std::string name_of(const span& one)
{
    if (one.method.empty())
        return std::string(rpc_system);
    return has_key(one.method) && !one.key.empty() ? one.method + ' ' + one.key : one.method;
}

std::string resource_attributes(const std::vector<std::pair<std::string, std::string>>& given)
{
    std::string text;
    attribute_list all(text);
    const auto is_name = [](const auto& one) { return one.first == "service.name"; };
    if (std::none_of(given.begin(), given.end(), is_name))
        all.add("service.name", "partyline");
    for (const auto& [name, value] : given)
        all.add(name, value);
    all.end();
    return text;
}

} // namespace

payload_writer::payload_writer(const std::vector<std::pair<std::string, std::string>>& resource,
                               std::vector<std::string> mcp_methods)
    : beginning_(R"({"resourceSpans":[{"resource":{"attributes":)" + resource_attributes(resource) +
                 R"(},"scopeSpans":[{"scope":{"name":"partyline","version":")" PARTYLINE_VERSION_STRING
                 R"("},"spans":[)"),
      mcp_methods_(std::move(mcp_methods))
{
}

std::string payload_writer::write(std::span<const telemetry::span> spans) const
{
    constexpr std::size_t usual_bytes = 900;
    std::string out;
    out.reserve(beginning_.size() + spans.size() * usual_bytes);
    out += beginning_;
    for (const telemetry::span& one : spans) {
        if (&one != spans.data())
            out += ',';
        append(out, one);
    }
    out += "]}]}]}";
    return out;
}

bool payload_writer::is_of_mcp(std::string_view method) const noexcept
{
    return std::binary_search(mcp_methods_.begin(), mcp_methods_.end(), method);
}

void payload_writer::append(std::string& out, const telemetry::span& one) const
{
    out += R"({"traceId":")";
    out.append(one.trace_id.data(), one.trace_id.size());
    out += '"';
    append_member(out, "spanId", {one.span_id.data(), one.span_id.size()});
    if (one.has_parent)
        append_member(out, "parentSpanId", {one.parent_id.data(), one.parent_id.size()});
    if (!one.state.empty()) {
        out += R"(,"traceState":)";
        append_text(out, one.state, one.state.size());
    }
    out += R"(,"flags":1,"name":)";
    append_peer_text(out, name_of(one));
    out += R"(,"kind":)";
    out += one.kind == span_kind::server ? kind_server : kind_client;
    append_member(out, "startTimeUnixNano", std::to_string(one.began.count()));
    append_member(out, "endTimeUnixNano", std::to_string(one.ended.count()));
    out += R"(,"attributes":)";
    append_attributes(out, one);
    out += R"(,"status":{)";
    if (is_failed(one))
        (out += R"("code":)") += status_error;
    out += "}}";
}

void payload_writer::append_attributes(std::string& out, const telemetry::span& one) const
{
    attribute_list all(out);
    all.add("rpc.system.name", rpc_system);
    all.add_of_peer("rpc.method", one.method);
    all.add_of_peer("jsonrpc.request.id", bare(one.id));
    if (is_of_mcp(one.method)) {
        all.add_of_peer("mcp.method.name", one.method);
        if (one.method == call_tool)
            all.add_of_peer("gen_ai.tool.name", one.key);
        else if (one.method == get_prompt)
            all.add_of_peer("gen_ai.prompt.name", one.key);
        all.add_of_peer("mcp.protocol.version", one.protocol_version);
        all.add_of_peer("mcp.session.id", one.session_digest);
    }
    if (one.transport != span_transport::unknown)
        all.add("network.transport", to_string(one.transport));
    if (one.address) {
        all.add("network.peer.address", one.address->ip.to_string());
        all.add_number("network.peer.port", one.address->port);
    }
    if (one.error_code != 0)
        all.add("rpc.response.status_code", std::to_string(one.error_code));
    if (is_failed(one))
        all.add("error.type", error_type(one));
    if (!one.principal.empty())
        all.add("enduser.id", one.principal);
    all.end();
}

} // namespace partyline::telemetry
