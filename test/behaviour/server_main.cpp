// The server of the behaviour suite as a process of its own; with --babble one that also prints what makes no sense,
// with --headers one that frames by Content-Length.

#include "methods.hpp"
#include "support/babbling_stream.hpp"
#include "support/pipe_stream.hpp"

#include <partyline/run_stdio.hpp>
#include <partyline/session.hpp>

#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <string_view>

#include <signal.h>
#include <unistd.h>

using namespace partyline::test;

namespace {

constexpr int vanished = 3;

int babble(partyline::method_table methods)
{
    ::signal(SIGPIPE, SIG_IGN);
    boost::asio::io_context context(1);
    pipe_stream both(context.get_executor(), ::dup(STDIN_FILENO), ::dup(STDOUT_FILENO));
    ::close(STDOUT_FILENO); // ours has to be the last one
    partyline::session session(babbling_stream(std::move(both)), std::move(methods));
    int status = 0;
    session.async_run([&](partyline::error_code failed) { status = failed ? 1 : 0; });
    context.run();
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    auto methods = make_methods(std::make_shared<event_counts>(), [] { std::_Exit(vanished); });
    const std::string_view way = argc == 2 ? argv[1] : "";
    if (way == "--babble")
        return babble(std::move(methods));
    partyline::stdio_options options;
    if (way == "--headers")
        options.session.framing = partyline::framing_kind::content_length;
    return partyline::run_stdio(std::move(methods), std::move(options));
}
