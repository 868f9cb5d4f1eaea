#include "http/serve/http_service.hpp"

#include "http/access/authorization.hpp"
#include "http/access/cors.hpp"
#include "http/serve/node_name.hpp"
#include "http/serve/post_answer.hpp"
#include "http/wire/characters.hpp"
#include "session/check_options.hpp"
#include "session/current_exception.hpp"
#include "session/persistent_post.hpp"

#include <partyline/protocol/error.hpp>
#include <partyline/protocol/printable.hpp>
#include <partyline/session/log.hpp>

#include <boost/asio/post.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <utility>

namespace asio = boost::asio;
namespace json = boost::json;

namespace partyline::http {
namespace {

using namespace std::chrono_literals;

constexpr auto tick_time = 250ms;
// For a request that its client may have sent before it could see that the server ends.
constexpr auto last_request_time = 1s;
constexpr std::string_view health_path = "/healthz";

std::string http_date(std::time_t at)
{
    std::tm parts{};
    ::gmtime_r(&at, &parts);
    char text[64];
    const std::size_t length = std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts); // in the C locale
    return {text, length};
}

void check_node(std::string_view name)
{
    constexpr std::size_t longest_shown = 64;
    if (!name.empty() && !is_node_name(name))
        throw std::invalid_argument("server_options::node is to be 1 to 32 of a-z and 0-9, and is \"" +
                                    printable(name.substr(0, longest_shown)) + '"');
}

void check_field_names(const std::vector<std::string>& names)
{
    constexpr std::size_t longest_shown = 64;
    for (const std::string& name : names) {
        if (name.empty() || !is_all(name, is_token_char))
            throw std::invalid_argument("server_options::handler_fields is to have names of header fields, and has \"" +
                                        printable(name.substr(0, longest_shown)) + '"');
    }
}

// By 0 of any of these nobody would be answered.
void check_options(const server_options& given)
{
    partyline::check_options(given.session);
    check_range("request_limits::head_bytes", given.requests.head_bytes, 1);
    check_range("request_limits::fields", given.requests.fields, 1);
    check_range("request_limits::target_bytes", given.requests.target_bytes, 1);
    check_range("request_limits::body_bytes", given.requests.body_bytes, 1);
    check_range("request_limits::requests_per_connection", given.requests.requests_per_connection, 1);
    check_range("server_options::max_handshakes", given.max_handshakes, 1);
    check_node(given.node);
    check_field_names(given.handler_fields);
}

// The options that are gone by: right ones, with the budget that they ask for, and names as fields are looked for.
server_options prepared(server_options options)
{
    check_options(options);
    for (std::string& name : options.handler_fields)
        name = lower_case(name);
    if (!options.session.budget && options.memory_bytes != 0)
        options.session.budget = std::make_shared<memory_budget>(options.memory_bytes);
    return options;
}

// Apart, so that what the check of heads compares stays inline.
[[gnu::noinline, gnu::cold]] bool is_of_metadata(std::string_view path) noexcept
{
    return path.starts_with(metadata_path);
}

} // namespace

response not_allowed(std::string_view allowed)
{
    response no =
        refuse(405, error_codes::invalid_request, "this method is not answered here; those that are stand in Allow");
    no.fields = "Allow: " + std::string(allowed) + "\r\n";
    return no;
}

response refuse(int status, int code, std::string_view text)
{
    return refuse(status, {code, std::string(text), {}});
}

response refuse(int status, const error_object& why)
{
    json::object error{{"code", why.code}, {"message", why.message}};
    if (why.data)
        error.emplace("data", *why.data);
    const json::object body{{"jsonrpc", "2.0"}, {"error", std::move(error)}};
    return {status, "application/json", json::serialize(body), {}};
}

http_service::http_service(asio::any_io_executor serial, server_options options,
                           std::shared_ptr<const thread_place> place, std::size_t number)
    : executor_(std::move(serial)), place_(std::move(place)), number_(number), options_(prepared(std::move(options))),
      spare_(options_.session.budget.get()), hosts_(options_.allowed_hosts, options_.allowed_origins),
      working_({options_.requests.head_bytes, options_.requests.fields, options_.requests.target_bytes},
               std::min(options_.requests.body_bytes, options_.session.bounds.message_bytes)),
      tick_(executor_), authenticator_(options_.access, options_.session.log)
{
}

void http_service::add(std::string path, std::shared_ptr<endpoint> by)
{
    if (!path.starts_with('/') || path.find_first_of("?# \t\r\n") != path.npos)
        throw std::invalid_argument("a path to serve begins with a slash and has no query, and this one is \"" + path +
                                    '"');
    if (path == health_path || (options_.access && is_of_metadata(path)) || find(path))
        throw std::invalid_argument("the path \"" + path + "\" is served already");
    endpoints_.emplace_back(std::move(path), std::move(by));
}

endpoint* http_service::find(std::string_view path) const noexcept
{
    for (const auto& [served, by] : endpoints_) {
        if (served == path)
            return by.get();
    }
    return nullptr;
}

// Who is not admitted learns no more by it: the answer is the same on all threads.
std::size_t http_service::thread_of(const request_head& head) const noexcept
{
    const std::string_view id = head.find("mcp-session-id");
    if (id.empty() || !place_)
        return number_;
    const endpoint* const by = find(head.path);
    return by && by->finds_sessions() ? place_->of(id) : number_;
}

http_service::clock::time_point http_service::note_time()
{
    now_ = clock::now();
    if (date_.empty() || now_ - dated_ >= 1s) {
        date_ = http_date(std::time(nullptr));
        dated_ = now_;
    }
    spare_.trim(); // what the event before has taken is not spare any more
    return now_;
}

std::optional<response> http_service::check_head(const request_head& head, const connected_peer& from,
                                                 request_facts& facts) const
{
    const bool is_old_check = head.is_http_1_0 && head.host.empty() && head.path == health_path; // as HAProxy's is
    if (is_old_check)
        return health(head);
    if (options_.access && is_of_metadata(head.path)) [[unlikely]]
        return check_metadata(head, from.by, facts);
    if (const std::optional<std::string> why = hosts_.refuse(head, from.by))
        return refuse(403, error_codes::invalid_request, *why);
    const std::string_view origin = head.find("origin");
    if (!origin.empty() && hosts_.allows_origin(origin))
        facts.style.fields = cors_fields(origin);
    if (head.has_unknown_expectation)
        return refuse(417, error_codes::invalid_request, "of what Expect can say, only 100-continue is met here");
    if (head.path == health_path)
        return health(head);
    endpoint* const by = find(head.path);
    if (!by)
        return refuse(404, error_codes::invalid_request, "nothing is served at this path");
    if (head.method == "OPTIONS")
        return response{204, {}, {}, preflight_fields(head, by->allowed_methods(), options_.handler_fields)};
    if (!by->allows(head.method))
        return not_allowed(by->allowed_methods());
    if (options_.access) [[unlikely]] {
        if (std::optional<response> no = check_access(head, from.identity, facts))
            return no;
    }
    if (std::optional<response> no = check_post(head))
        return no;
    return by->refuse_head(head);
}

std::optional<response> http_service::check_post(const request_head& head) const
{
    if (head.method != "POST")
        return std::nullopt;
    if (!is_json_type(head.find("content-type")) || head.count("content-type") > 1)
        return refuse(415, error_codes::invalid_request,
                      "the body is to be application/json, in UTF-8, and Content-Type to say so");
    const std::string_view coding = head.find("content-encoding");
    if (coding.data() && coding != "identity")
        return refuse(415, error_codes::invalid_request,
                      "bodies are not decoded here: send it without Content-Encoding");
    return std::nullopt;
}

response http_service::health(const request_head& head) const
{
    if (head.method != "GET" && head.method != "HEAD")
        return not_allowed("GET, HEAD");
    if (is_ending())
        return {503, "text/plain", "ending\n", {}};
    if (options_.is_healthy && !options_.is_healthy())
        return {503, "text/plain", "not well\n", {}};
    return {200, "text/plain", "ok\n", {}};
}

endpoint::answer http_service::serve(request&& asked, kept_state& of, reply_sink& line)
{
    try {
        return find(asked.head.path)->serve(std::move(asked), of, line);
    } catch (...) {
        note_failure(std::current_exception());
        return busy();
    }
}

void http_service::begin_drain() noexcept
{
    is_ending_ = true;
    drains_since_ = clock::now();
}

bool http_service::has_drained(clock::time_point since, clock::time_point now) const noexcept
{
    return drains_since_ && now - std::max(since, *drains_since_) > last_request_time;
}

void http_service::on_over() noexcept
{
    for (const auto& [path, by] : endpoints_)
        by->end();
    tick_.cancel(); // else the context goes on running for it
}

void http_service::post_end(std::function<void(error_code)> told) noexcept
{
    try {
        post_persistently(executor_, [told] { told({}); });
    } catch (...) {
        try {
            told({});
        } catch (const std::bad_alloc&) { // as if the connection went on: its place is taken until the server ends
        }
    }
}

void http_service::note_failure(std::exception_ptr thrown) noexcept
{
    if (!failures_.allows(clock::now()))
        return;
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (...) {
        try {
            write_log(options_.session.log, "could not serve an HTTP request: " + current_exception_text());
        } catch (...) { // no memory for the line
        }
    }
}

bool http_service::has_work() const noexcept
{
    return !connections_.empty() || std::any_of(endpoints_.begin(), endpoints_.end(), [](const auto& each) {
        return each.second->has_sessions() || each.second->needs_ticks();
    });
}

void http_service::start_ticking()
{
    if (is_ticking_)
        return;
    tick_.expires_after(tick_time);
    tick_.async_wait([self = weak_from_this()](error_code failed) {
        if (const auto core = self.lock(); core && !failed)
            core->on_tick();
    });
    is_ticking_ = true;
}

// All that waits for a time is looked at here: a timer for each of ten thousand connections costs more.
void http_service::on_tick()
{
    is_ticking_ = false;
    note_time();
    if (drains_since_ && now_ - *drains_since_ >= options_.times.drain)
        connections_.give_up();
    connections_.on_tick(now_);
    idle_.on_tick(now_);
    spare_.forget_older(options_.mcp.completed_stream, now_);
    for (const auto& [path, by] : endpoints_)
        by->on_tick(now_);
    if (has_work())
        start_ticking();
}

} // namespace partyline::http
