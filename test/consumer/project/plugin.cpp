// A plugin with sessions of its own, by partyline in an archive or in a shared library, as it is linked.
#include <partyline/partyline.hpp>

#include <boost/asio/io_context.hpp>

#include <utility>

extern "C" [[gnu::visibility("default")]] int sum_by_session(int a, int b)
{
    partyline::method_table methods;
    methods.add("add", [](int x, int y) { return x + y; });
    boost::asio::io_context context;
    auto [near, far] = partyline::memory_stream::make_pair(context.get_executor());
    partyline::session server(std::move(far), std::move(methods));
    partyline::session client(std::move(near));
    server.async_run([](partyline::error_code) {});
    client.async_run([](partyline::error_code) {});
    int sum = -1;
    client.call<int>("add", partyline::args(a, b))([&](partyline::error_code failed, partyline::call_result<int> said) {
        sum = failed ? -2 : *said;
        client.close();
    });
    context.run();
    return sum;
}
