#include "transport.hpp"

#include "methods.hpp"
#include "support/babbling_stream.hpp"
#include "support/pipe_stream.hpp"
#include "support/scratch_directory.hpp"
#include "support/short_reads.hpp"

#include <partyline/connect.hpp>
#include <partyline/server.hpp>
#include <partyline/transport/child_process.hpp>
#include <partyline/transport/memory_stream.hpp>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

using namespace std::chrono_literals;

// A server here, that vanishes by being stopped: handlers that are stubborn then are not waited for.
session_options server_options_of_the_suite(framing_kind framing)
{
    session_options options;
    options.framing = framing;
    options.cancel_grace = 20ms;
    options.log = [](std::string_view) {}; // of the handlers that are given up
    return options;
}

// Both ends of a stream, the client's first.
template <class Stream>
class stream_server final : public server_side {
public:
    template <class Server>
    stream_server(Stream client, Server server, framing_kind framing)
        : client_(std::move(client)), server_(std::move(server), make_methods(seen_, [this] { server_.stop(); }),
                                              server_options_of_the_suite(framing))
    {
        server_.async_run([this](error_code failed) { result_ = failed; });
    }

    session connect(std::shared_ptr<const dispatcher> methods, session_options options) override
    {
        Stream own = std::move(*client_);
        client_.reset(); // the copy that was moved from, before it could close anything
        return session(std::move(own), std::move(methods), std::move(options));
    }

    void stop() override
    {
        seen_->add("let go");
        server_.stop();
    }
    std::optional<error_code> result() const override { return result_; }

private:
    std::shared_ptr<event_counts> seen_ = std::make_shared<event_counts>();
    std::optional<Stream> client_;
    session server_;
    std::optional<error_code> result_;
};

template <class Client, class Server>
std::unique_ptr<server_side> serve(Client client, Server server, framing_kind framing)
{
    return std::make_unique<stream_server<Client>>(std::move(client), std::move(server), framing);
}

std::unique_ptr<server_side> over_memory(asio::io_context& context, framing_kind framing)
{
    auto [client, server] = memory_stream::make_pair(context.get_executor());
    return serve(std::move(client), std::move(server), framing);
}

std::unique_ptr<server_side> over_babbling_memory(asio::io_context& context, framing_kind framing)
{
    auto [client, server] = memory_stream::make_pair(context.get_executor());
    return serve(std::move(client), babbling_stream(std::move(server)), framing);
}

std::unique_ptr<server_side> over_pipes(asio::io_context& context, framing_kind framing)
{
    auto [client, server] = pipe_stream::make_pair(context.get_executor());
    return serve(std::move(client), std::move(server), framing);
}

std::unique_ptr<server_side> over_short_reads(asio::io_context& context, framing_kind framing)
{
    auto [client, server] = pipe_stream::make_pair(context.get_executor());
    return serve(short_reads(std::move(client)), short_reads(std::move(server)), framing);
}

std::unique_ptr<server_side> over_socket_pair(asio::io_context& context, framing_kind framing)
{
    unix_socket client(context), server(context);
    asio::local::connect_pair(client, server);
    return serve(std::move(client), std::move(server), framing);
}

// By way of the facade.
template <class Socket>
class listening_server final : public server_side {
public:
    listening_server(asio::io_context& context, framing_kind framing)
        : context_(context),
          server_(context.get_executor(), make_methods(seen_, [this] { server_.stop(); }), options(framing))
    {
        server_.async_run([this](error_code failed) { result_ = failed; });
    }

    session connect(std::shared_ptr<const dispatcher> methods, session_options options) override
    {
        Socket socket(context_);
        std::optional<error_code> connected;
        const auto done = [&](error_code failed, Socket made) {
            connected = failed;
            socket = std::move(made);
        };
        if constexpr (std::is_same_v<Socket, tcp_socket>)
            async_connect_tcp(context_.get_executor(), "127.0.0.1", server_.listen_tcp("127.0.0.1", 0).port(), done);
        else
            async_connect_unix(context_.get_executor(), server_.listen_unix(directory_ / "socket").path(), done);
        while (!connected)
            context_.run_one();
        if (*connected)
            throw boost::system::system_error(*connected);
        return session(std::move(socket), std::move(methods), std::move(options));
    }

    void stop() override
    {
        seen_->add("let go");
        server_.stop();
    }
    // One conversation is all there is; the server itself waits for others.
    std::optional<error_code> result() const override { return session_result_; }

private:
    server_options options(framing_kind framing)
    {
        server_options all;
        all.session = server_options_of_the_suite(framing);
        all.on_session_end = [this](const session_counters&, error_code why) { session_result_ = why; };
        return all;
    }

    asio::io_context& context_;
    scratch_directory directory_;
    std::shared_ptr<event_counts> seen_ = std::make_shared<event_counts>();
    std::optional<error_code> session_result_;
    std::optional<error_code> result_;
    server server_;
};

template <class Socket>
std::unique_ptr<server_side> listening(asio::io_context& context, framing_kind framing)
{
    return std::make_unique<listening_server<Socket>>(context, framing);
}

// A real process.
class process_server final : public server_side {
public:
    process_server(asio::io_context& context, child_options options, std::vector<std::string> command)
        : process_(child_process(context.get_executor(), std::move(command), std::move(options)))
    {
    }

    session connect(std::shared_ptr<const dispatcher> methods, session_options options) override
    {
        child_process own = std::move(*process_);
        process_.reset();
        return session(std::move(own), std::move(methods), std::move(options));
    }

private:
    std::optional<child_process> process_;
};

auto process(child_channel channel, std::vector<std::string> arguments = {})
{
    arguments.insert(arguments.begin(), PARTYLINE_BEHAVIOUR_SERVER);
    return [channel, arguments](asio::io_context& context, framing_kind framing) -> std::unique_ptr<server_side> {
        std::vector<std::string> command = arguments;
        if (framing == framing_kind::content_length)
            command.push_back("--headers");
        child_options options;
        options.channel = channel;
        options.exit_wait = 20s; // nobody is in a hurry
        return std::make_unique<process_server>(context, std::move(options), std::move(command));
    };
}

// What makes no sense between two messages is a line to skip, or the end where lengths tell messages apart.
std::vector<transport> with_headers(std::vector<transport> all)
{
    std::erase_if(all, [](const transport& way) { return way.babbles; });
    for (transport& way : all) {
        way.name += "_with_headers";
        way.framing = framing_kind::content_length;
    }
    return all;
}

std::vector<transport> make_all()
{
    std::vector<transport> all{
        {.name = "memory", .make = over_memory},
        {.name = "pipes", .make = over_pipes},
        {.name = "socket_pair", .make = over_socket_pair},
        {.name = "short_reads", .make = over_short_reads, .slowness = 64},
        {.name = "rubbish_in_memory", .make = over_babbling_memory, .babbles = true},
        {.name = "unix_server", .make = listening<unix_socket>},
        {.name = "tcp_server", .make = listening<tcp_socket>},
        {.name = "process_on_pipes", .make = process(child_channel::pipes), .is_process = true},
        {.name = "process_on_a_socket", .make = process(child_channel::socket_pair), .is_process = true},
        {.name = "rubbish_of_a_process",
         .make = process(child_channel::pipes, {"--babble"}),
         .is_process = true,
         .babbles = true},
    };
    std::ranges::copy(with_headers(all), std::back_inserter(all));
    return all;
}

} // namespace

const std::vector<transport>& all_transports()
{
    static const std::vector<transport> all = make_all();
    return all;
}

} // namespace partyline::test
