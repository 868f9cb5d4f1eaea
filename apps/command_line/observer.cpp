#include "command_line/observer.hpp"

#include "command_line/background_thread.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/line_log.hpp"

#include <partyline/http/document_sender.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/telemetry.hpp>
#include <partyline/tls/client_context.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

namespace asio = boost::asio;

namespace command_line {
namespace {

namespace telemetry = partyline::telemetry;
using partyline::served_event;

// For a scraper, and for a person who looks.
constexpr std::size_t most_connections = 16;
constexpr std::chrono::seconds longest_export_at_end(2);

partyline::http::server_options listener_options(const telemetry_options& asked)
{
    partyline::http::server_options options;
    options.may_listen = asked.may_listen;
    options.allowed_hosts = asked.allowed_hosts;
    options.max_connections = most_connections;
    options.max_connections_per_address = most_connections;
    options.requests.body_bytes = 1;
    options.times.write_stall = std::chrono::seconds(10);
    return options;
}

asio::ip::tcp::endpoint listen(partyline::http::server& server, const partyline::tcp_address& at)
try {
    return server.listen_tcp(at.host, at.port);
} catch (const boost::system::system_error& e) {
    throw listen_failure("--metrics: " + partyline::exception_text(e));
}

line_log open_message_log(const std::string& path)
try {
    return open_line_log("--message-log", path, say_as_program);
} catch (const std::system_error& e) {
    throw std::system_error(e.code(), "--message-log " + path);
}

class call_in_span final : public observed_call {
public:
    call_in_span(std::shared_ptr<telemetry::span_writer> to, const passed_call& of)
        : span_(std::move(to), &of.parent, of.method, of.params)
    {
        span_.set_protocol_version(of.revision);
    }

    const partyline::trace_context& trace() const noexcept override { return span_.trace(); }
    void end(partyline::error_code failed, const partyline::response& reply) noexcept override
    {
        span_.end(failed, reply);
    }
    void discard() noexcept override { span_.discard(); }

private:
    telemetry::call_span span_;
};

} // namespace

struct observer::core {
    core(const telemetry_options& options, const std::string& program, const observed_methods& methods);
    ~core();

    void serve_metrics(const telemetry_options& options);
    void export_to(const otlp_settings& to, const std::string& program, const observed_methods& methods);

    std::shared_ptr<telemetry::metrics> metrics;
    std::shared_ptr<telemetry::span_writer> spans;
    line_log messages;
    std::string name; // of the program
    std::promise<void> exported;
    std::optional<background_thread> thread;
    std::optional<partyline::http::server> listener; // goes before its thread
};

observer::core::core(const telemetry_options& options, const std::string& program, const observed_methods& methods)
    : name(program)
{
    occupy_closed_descriptors();
    if (!options.message_log.empty())
        messages = open_message_log(options.message_log);
    if (options.metrics || options.otlp)
        thread.emplace();
    if (options.otlp)
        export_to(*options.otlp, program, methods);
    if (options.metrics) {
        metrics = std::make_shared<telemetry::metrics>(methods.names);
        if (spans)
            metrics->read(telemetry::read_number::spans_dropped, [from = spans] { return from->dropped(); });
        serve_metrics(options);
    }
}

void observer::core::serve_metrics(const telemetry_options& options)
{
    listener.emplace(thread->get_executor(), listener_options(options));
    listener->add_page("/metrics", std::string(telemetry::metrics::content_type),
                       [of = metrics] { return of->text(); });
    const asio::ip::tcp::endpoint at = listen(*listener, *options.metrics);
    say("metrics on http://" + to_string(partyline::tcp_address{at.address().to_string(), at.port()}) + "/metrics");
    listener->async_run([](boost::system::error_code) {});
}

void observer::core::export_to(const otlp_settings& to, const std::string& program, const observed_methods& methods)
{
    telemetry::span_options about;
    about.resource = to.resource;
    if (methods.are_of_mcp)
        about.mcp_methods = methods.names;
    spans = std::make_shared<telemetry::span_writer>(about);
    telemetry::export_options how;
    how.url = to.url;
    how.fields = to.fields;
    how.log = [program](std::string_view line) { say(program + ": --otlp: " + std::string(line)); };
    partyline::detail::secure_connector tls;
    if (to.url.starts_with("https:"))
        tls = partyline::tls::client_context().connector();
    partyline::document_sender send = partyline::http::make_document_sender(thread->get_executor(), std::move(tls));
    telemetry::export_spans(thread->get_executor(), spans, std::move(send), std::move(how),
                            [this] { exported.set_value(); });
}

observer::core::~core()
{
    if (!spans)
        return;
    spans->close();
    if (exported.get_future().wait_for(longest_export_at_end) != std::future_status::ready)
        say(name + ": --otlp: the collector has not taken the last spans in time");
}

bool observer::is_built() noexcept
{
    return true;
}

observer::observer(const telemetry_options& options, const std::string& program, const observed_methods& methods)
    : core_(options.is_wanted() ? std::make_unique<core>(options, program, methods) : nullptr)
{
}

observer::~observer() = default;

void observer::observe(partyline::session_options& its) const
{
    if (!core_)
        return;
    if (core_->metrics)
        its.totals = core_->metrics->totals();
    its.on_served = [metrics = core_->metrics, spans = core_->spans, log = core_->messages](const served_event& event) {
        if (metrics)
            metrics->note(event);
        if (spans)
            spans->note(event);
        if (log)
            log(telemetry::message_line(event, std::chrono::system_clock::now()));
    };
}

void observer::observe_calls(partyline::session_options& its) const
{
    if (core_ && core_->spans)
        telemetry::add_call_spans(its, core_->spans);
}

call_observer observer::passed_calls() const
{
    if (!core_ || !core_->spans)
        return {};
    return [to = core_->spans](const passed_call& call) -> std::unique_ptr<observed_call> {
        return std::make_unique<call_in_span>(to, call);
    };
}

std::shared_ptr<partyline::access_control> observer::counted(std::shared_ptr<partyline::access_control> by) const
{
    return core_ && core_->metrics && by ? core_->metrics->counted(std::move(by)) : by;
}

void observer::count_connections(std::function<std::size_t()> of) const
{
    if (!core_ || !core_->metrics)
        return;
    std::function<std::uint64_t()> read;
    if (of)
        read = [of = std::move(of)] { return static_cast<std::uint64_t>(of()); };
    core_->metrics->read(telemetry::read_number::connections, std::move(read));
}

void observer::set_reader(observed_numbers of) const
{
    if (core_ && core_->metrics)
        core_->metrics->set_reader(std::move(of));
}

std::function<void(const partyline::http::server*)> observer::watch() const
{
    return [this](const partyline::http::server* server) {
        if (server)
            count_connections([server] { return server->connections(); });
        else
            count_connections({});
    };
}

} // namespace command_line
