#include "command_line/serve_http.hpp"

#include "command_line/access_options.hpp"
#include "command_line/background_thread.hpp"
#include "command_line/bounded_run.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/line_log.hpp"
#include "command_line/listening_program.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/run_stdio.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <sys/socket.h>

namespace asio = boost::asio;

namespace command_line {
namespace {

void tell(const std::string& where)
{
    say("listening on " + where);
}

partyline::http::accepted_protocols all_protocols(const http_options& options)
{
    partyline::http::accepted_protocols all;
    all.lines = all.content_length = true;
    all.proxy_protocol = options.has_proxy;
    if (options.tls)
        all.tls =
            options.wants_tls_alone ? partyline::http::encryption::required : partyline::http::encryption::optional;
    return all;
}

// Of sockets that systemd has opened, which are those from its first descriptor on.
void tell_exposure_of_inherited(std::size_t count, const http_options& options, const std::string& program)
{
    constexpr int first_descriptor = 3; // SD_LISTEN_FDS_START
    for (int i = 0; i < static_cast<int>(count); ++i) {
        asio::ip::tcp::endpoint at;
        auto size = static_cast<::socklen_t>(at.capacity());
        const bool has_address = ::getsockname(first_descriptor + i, at.data(), &size) == 0;
        if (has_address && at.data()->sa_family != AF_UNIX)
            tell_exposure(program, at, {options.access != nullptr, options.wants_tls_alone});
    }
}

void listen_inherited(partyline::http::server& server, const http_options& options, const std::string& program)
{
    const bool is_http = options.inherited == inherited_use::http;
    const std::size_t count =
        server.listen_inherited(is_http ? partyline::http::accepted_protocols() : all_protocols(options));
    if (count == 0 && options.addresses.empty() && options.all_protocols.empty() && options.unix_paths.empty())
        throw std::invalid_argument("there are no inherited sockets to serve: LISTEN_PID and LISTEN_FDS tell of none");
    tell(std::to_string(count) + " inherited sockets" + (is_http ? ", http" : ""));
    tell_exposure_of_inherited(count, options, program);
}

void listen(partyline::http::server& server, const http_options& options, const std::string& program)
{
    for (const partyline::tcp_address& address : options.all_protocols) {
        const auto at = server.listen_tcp(address.host, address.port, all_protocols(options));
        tell(to_string(partyline::tcp_address{at.address().to_string(), at.port()}));
        tell_exposure(program, at, {options.access != nullptr, options.wants_tls_alone});
    }
    for (const partyline::tcp_address& address : options.addresses) {
        const auto at = server.listen_tcp(address.host, address.port);
        tell("http://" + to_string(partyline::tcp_address{at.address().to_string(), at.port()}));
        tell_exposure(program, at, {options.access != nullptr, false});
    }
    for (const std::string& path : options.unix_paths) {
        server.listen_unix(path, {}, options.unix_mode);
        tell("http unix " + path);
    }
    if (options.inherited != inherited_use::none)
        listen_inherited(server, options, program);
}

// Tells that a server is there, and that it is about to go.
class watched_server {
public:
    using watch = std::function<void(const partyline::http::server*)>;

    watched_server(const partyline::http::server& server, const watch& told) : told_(told)
    {
        if (told_)
            told_(&server);
    }
    watched_server(const watched_server&) = delete;
    watched_server& operator=(const watched_server&) = delete;
    ~watched_server()
    {
        if (told_)
            told_(nullptr);
    }

private:
    const watch& told_;
};

} // namespace

int serve_http(asio::io_context& context, const http_options& options, const char* program, const http_service& service)
{
    occupy_closed_descriptors();
    partyline::http::server_options how = options.server;
    how.session.executor_is_serial = true; // the program runs its context on one thread
    std::optional<background_thread> keys;
    if (options.access)
        fetch_keys(*options.access, keys.emplace().get_executor(), program);
    partyline::http::server server(context.get_executor(), std::move(how));
    service.add(server);
    const watched_server watched(server, service.watch);
    bounded_run running(context, program, service.longest_end);
    const auto end = [&] {
        options.manager->tell_stopping();
        server.close();
        running.begin_end();
    };
    if (service.on_begin)
        service.on_begin(end);
    listening_program::duties duties;
    duties.end = end;
    duties.on_stop = [&running] { running.stop(); };
    duties.certificates = options.tls;
    duties.access = options.access;
    duties.reload = service.reload;
    listening_program listening(context, program, *options.manager, std::move(duties));
    try {
        listen(server, options, program);
    } catch (const boost::system::system_error& e) {
        say(program + std::string(": ") + partyline::exception_text(e));
        return partyline::exit_codes::stream_failed;
    }
    listening.on_listening();
    server.async_run([&](boost::system::error_code) {
        if (service.on_end)
            service.on_end();
    });
    running.run();
    options.manager->tell_stopping(); // where nobody has asked for the end
    return listening.exit_code();
}

} // namespace command_line
