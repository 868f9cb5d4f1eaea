// Starts itself as a server and calls it, with a descriptor open that the child is not to have.

#include <partyline/partyline.hpp>
#include <partyline/transport/child_process.hpp>

#include <boost/asio/io_context.hpp>

#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

#include <fcntl.h>

namespace {

std::vector<int> open_descriptors()
{
    std::vector<int> open;
    for (int number = 0; number < 1024; ++number)
        if (::fcntl(number, F_GETFD) >= 0)
            open.push_back(number);
    return open;
}

int serve()
{
    partyline::method_table methods;
    methods.add("inherited", [open = open_descriptors()] { return open; });
    return partyline::run_stdio(std::move(methods));
}

partyline::task<void> ask(partyline::session& server, int& result)
{
    const std::vector<int> expected = {0, 1, 2};
    const auto inherited = co_await server.call<std::vector<int>>("inherited");
    result = inherited == expected ? 0 : 1;
    std::cout << "the child has " << inherited.size() << " descriptors\n";
}

int start(const char* self)
{
    if (::open("/dev/null", O_RDONLY) <= 2) // without close-on-exec
        return 2;
    int result = 3; // until the server has answered
    boost::asio::io_context context;
    partyline::session server(partyline::child_process(context.get_executor(), {self, "serve"}));
    server.async_run([](partyline::error_code ended) { std::cout << "ended: " << ended.message() << '\n'; });
    co_spawn(context.get_executor(), ask(server, result), [&](std::exception_ptr failed) {
        server.close();
        if (failed)
            std::rethrow_exception(failed);
    });
    context.run();
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    return argc > 1 && argv[1] == std::string_view("serve") ? serve() : start(argv[0]);
}
