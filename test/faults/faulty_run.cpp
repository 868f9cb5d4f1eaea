#include "faulty_run.hpp"

#include "scripted_stream.hpp"
#include "session/calls/make_outgoing.hpp"
#include "support/heard.hpp"
#include "transport/stream/stream_driver.hpp"

#include <partyline/session/detail/task_memory.hpp>
#include <partyline/session/request_quota.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <sstream>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

// One session, its stream and its peer.
struct side {
    std::shared_ptr<peer_side> peer = std::make_shared<peer_side>();
    scripted_stream* stream = nullptr;
    std::shared_ptr<stream_driver> driver;
    std::size_t ends = 0;
    error_code result;

    side(asio::io_context& context, std::shared_ptr<const dispatcher> methods, session_options options)
    {
        auto made = std::make_unique<scripted_stream>(context.get_executor(), peer);
        stream = made.get();
        driver = std::make_shared<stream_driver>(context.get_executor(), std::move(made), std::move(methods),
                                                 std::move(options));
    }

    completion<error_code> on_end()
    {
        const unharmed own;
        return {[this](error_code failed) {
                    ++ends;
                    result = failed;
                },
                driver->get_executor()};
    }

    void start() { driver->start(on_end()); }
};

session_options quick_options(std::vector<std::string>& log)
{
    session_options options;
    options.drain_timeout = 200ms;
    options.cancel_grace = 200ms;
    options.log = [&log](std::string_view line) {
        const unharmed own;
        log.emplace_back(line);
    };
    return options;
}

// Until nothing is left to happen, or until it has ended.
void run(asio::io_context& context, side& subject, std::vector<std::string>& escaped)
{
    const auto deadline = std::chrono::steady_clock::now() + 10s;
    while (subject.ends == 0 && std::chrono::steady_clock::now() < deadline) {
        std::size_t count = 0;
        try {
            count = context.poll();
        } catch (const std::exception& e) {
            const unharmed own;
            escaped.push_back(e.what());
            continue;
        }
        if (count != 0 || subject.stream->advance())
            continue;
        try {
            context.run_one_for(1s); // a grace, a drain
        } catch (const std::exception& e) {
            const unharmed own;
            escaped.push_back(e.what());
        }
    }
}

void make_calls(side& subject, const script& played, run_record& record)
{
    for (std::size_t i = 0; i != played.calls; ++i) {
        error_code failed;
        const auto call = make_call(
            "question", json_text("[1]"), {}, [&record](error_code, response) { ++record.calls_ended; },
            subject.driver->origin(), failed);
        subject.driver->launch(call, failed);
    }
    for (std::size_t i = 0; i != played.notifications; ++i) {
        error_code failed;
        const auto told = make_notification(
            "news", json_text("[\"" + std::string(100'000, 'n') + "\"]"),
            [&record](error_code) { ++record.notifications_ended; }, subject.driver->origin(), failed);
        subject.driver->launch(told, failed);
    }
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

bool is_json(const std::string& line)
{
    boost::system::error_code failed;
    boost::json::parse_options deep;
    deep.max_depth = 1000;
    boost::json::parse(line, failed, {}, deep);
    return !failed;
}

// With Content-Length framing the bodies stand one a line already: each begins behind an empty line and ends before a
// header.
std::string without_headers(const std::string& text)
{
    std::string bodies;
    constexpr std::string_view name = "Content-Length: ";
    for (std::size_t at = 0; at < text.size();) {
        if (text.compare(at, name.size(), name) != 0)
            return bodies + "no header\n";
        const std::size_t size = std::stoul(text.substr(at + name.size()));
        at = text.find("\r\n\r\n", at) + 4;
        bodies += text.substr(at, size) + '\n';
        at += size;
    }
    return bodies;
}

bool has_asked(const script& played, const std::string& id)
{
    return std::any_of(played.input.begin(), played.input.end(),
                       [&](const std::string& piece) { return piece.find("\"id\":" + id) != piece.npos; });
}

bool is_error(const std::string& reply)
{
    return reply.find("\"error\"") != reply.npos || reply.find("\"isError\":true") != reply.npos;
}

// That of a request of MCP has the time in it.
std::string without_state(std::string reply)
{
    constexpr std::string_view name = "\"requestState\":\"";
    const std::size_t at = reply.find(name);
    if (at != reply.npos)
        reply.erase(at + name.size(), reply.find('"', at + name.size()) - at - name.size());
    return reply;
}

std::size_t count_taken(request_quota& quota)
{
    std::size_t free = 0;
    while (!quota.take(request_quota::clock::now()))
        ++free;
    return quota.limits().at_once - free;
}

served plain_methods(asio::any_io_executor elsewhere)
{
    const auto methods = std::make_shared<method_table>();
    add_methods(*methods, std::move(elsewhere));
    return {methods};
}

// The methods that were served.
std::weak_ptr<const dispatcher> scripted_session(run_record& record, const script& played, allocation_plan plan,
                                                 const meddling& with, std::shared_ptr<request_quota> quota)
{
    detail::release_task_memory(); // else what an earlier run has left spares this one an allocation
    asio::io_context context(1);
    const asio::any_io_executor elsewhere =
        plan.fails_at == 0 ? asio::any_io_executor(context.get_executor()) : asio::any_io_executor();
    session_options options = quick_options(record.log);
    options.quota = std::move(quota);
    if (played.prepare)
        played.prepare(options);
    const served offered = played.serve ? played.serve(options, elsewhere) : plain_methods(elsewhere);
    if (with.prepare)
        with.prepare(options);
    const bool has_headers = options.framing.value_or(options.profile->framing) == framing_kind::content_length;
    side subject(context, offered.methods, std::move(options));
    side bystander(context, plain_methods(elsewhere).methods, quick_options(record.log));
    subject.peer->input.assign(played.input.begin(), played.input.end());
    subject.peer->reads_late = played.reads_late;
    subject.peer->breaks_at = with.breaks_at;
    make_calls(subject, played, record);
    bystander.start();
    {
        const armed_allocations armed(plan);
        subject.start();
        run(context, subject, record.escaped);
        record.failed_allocations = armed.failed();
    }
    bystander.peer->input.push_back("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"well\"]}\n");
    run(context, bystander, record.escaped);
    record.is_bystander_well =
        bystander.ends == 1 && !bystander.result && bystander.peer->output.find("[\"well\"]") != std::string::npos;
    record.output = has_headers ? without_headers(subject.peer->output) : subject.peer->output;
    record.ends = subject.ends;
    record.result = subject.result;
    record.is_cut_off = subject.peer->is_broken();
    return offered.methods;
}

} // namespace

run_record perform(const script& played, allocation_plan plan, const meddling& with)
{
    run_record record;
    const auto quota = std::make_shared<request_quota>(quota_limits{.at_once = played.places});
    record.is_all_gone = scripted_session(record, played, plan, with, quota).expired();
    record.places_taken = count_taken(*quota);
    return record;
}

std::vector<std::string> find_problems(const script& played, const run_record& clean, const run_record& faulty)
{
    std::vector<std::string> problems;
    if (faulty.ends != 1)
        problems.push_back("async_run completed " + std::to_string(faulty.ends) + " times");
    if (faulty.calls_ended != played.calls)
        problems.push_back(std::to_string(faulty.calls_ended) + " calls ended");
    if (faulty.notifications_ended != played.notifications)
        problems.push_back(std::to_string(faulty.notifications_ended) + " notifications ended");
    if (!faulty.is_bystander_well)
        problems.push_back("another session was harmed");
    if (!faulty.is_all_gone)
        problems.push_back("something has been left behind");
    if (faulty.places_taken != 0)
        problems.push_back(std::to_string(faulty.places_taken) + " places in the quota were not given back");
    for (const std::string& what : faulty.escaped) {
        if (!played.awaits || what != std::bad_alloc().what())
            problems.push_back("an exception left io_context::run: " + what);
    }
    std::vector<std::string> lines = lines_of(faulty.output);
    if (faulty.is_cut_off && !lines.empty() && !faulty.output.ends_with('\n'))
        lines.pop_back(); // the connection broke in the middle of it
    for (const std::string& line : lines) {
        if (!is_json(line))
            problems.push_back("no JSON: " + line.substr(0, 200));
    }
    if (!problems.empty())
        return problems;
    const heard asked(lines_of(clean.output));
    const heard got(lines);
    for (const auto& [id, text] : got.answers()) {
        if (got.answers().count(id) != 1)
            problems.push_back("answered twice: " + id);
        if (!has_asked(played, id))
            problems.push_back("nobody asked " + id);
        const auto known =
            asked.answers().find(id); // a result may stand where there was an error, as of what had to wait too long
        if (known != asked.answers().end() && without_state(known->second) != without_state(text) && !is_error(text) &&
            !is_error(known->second))
            problems.push_back("another answer: " + text.substr(0, 200));
    }
    return problems;
}

} // namespace partyline::test
