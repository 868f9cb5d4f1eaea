#include "listen.hpp"

#include "ask.hpp"
#include "command_line/closed_descriptors.hpp"
#include "command_line/line_log.hpp"
#include "command_line/listening_program.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/server.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <memory>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace echo {
namespace {

partyline::server_options server_options_of(const options& options)
{
    partyline::server_options result;
    result.session = options.stdio.session;
    result.access = options.stdio.access;
    result.max_connections = options.max_connections;
    result.threads = options.http.server.threads;
    result.may_listen = options.http.server.may_listen;
    result.max_connections_per_address = options.max_connections_per_address;
    result.memory_bytes = options.memory_bytes.value_or(result.memory_bytes);
    result.on_session_start = [](partyline::session_options& own, const partyline::peer_identity&) {
        own.user_data = make_session_data();
    };
    result.on_session_end = [print = options.stdio.on_session_end](const partyline::session_counters& counters,
                                                                   boost::system::error_code) {
        if (print)
            print(counters);
    };
    return result;
}

void tell(const std::string& where)
{
    command_line::say("listening on " + where);
}

void listen(partyline::server& server, const options& options)
{
    for (const std::string& path : options.unix_paths) {
        server.listen_unix(path, options.http.unix_mode);
        tell("unix " + path);
    }
    for (const partyline::tcp_address& address : options.tcp_addresses) {
        const auto at = server.listen_tcp(address.host, address.port);
        const std::string where = to_string(partyline::tcp_address{at.address().to_string(), at.port()});
        tell("tcp " + where);
        if (!at.address().is_loopback())
            command_line::say("partyline-echo: --allow-any-address: what is sent to " + where +
                              " travels in the clear" + (options.http.access ? "" : ", and whoever connects may call"));
    }
}

} // namespace

int run_listening(partyline::method_table methods, options options, const command_line::observer& by)
{
    command_line::occupy_closed_descriptors();
    asio::io_context context(1);
    partyline::server server(context.get_executor(), std::move(methods), server_options_of(options));
    command_line::listening_program::duties duties;
    duties.end = [&server] { server.stop(); };
    duties.access = options.http.access;
    command_line::listening_program listening(context, "partyline-echo", *options.http.manager, std::move(duties));
    try {
        listen(server, options);
    } catch (const boost::system::system_error& e) {
        command_line::say(std::string("partyline-echo: ") + partyline::exception_text(e));
        return partyline::exit_codes::stream_failed;
    }
    listening.on_listening();
    server.async_run([&](boost::system::error_code) { context.stop(); });
    const command_line::counted_connections counted(by, [&server] { return server.connections(); });
    context.run();
    options.http.manager->tell_stopping(); // where nobody has asked for the end
    return listening.exit_code();
}

void add_to(partyline::http::server& server, partyline::method_table methods)
{
    const auto shared = std::make_shared<const partyline::method_table>(std::move(methods));
    const auto make = [shared](partyline::session_options& own) {
        own.user_data = make_session_data();
        return shared;
    };
    server.add_rpc("/rpc", make);
    server.add_websocket("/ws", make);
    server.add_sessions(make);
}

} // namespace echo
