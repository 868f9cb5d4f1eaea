// A user's server over HTTP against the installed library.
#include <partyline/http.hpp>

#include <boost/asio/io_context.hpp>

int main()
{
    boost::asio::io_context context(1);
    partyline::http::server server(context.get_executor());
    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; });
    server.add_rpc("/rpc", std::move(methods));
    const auto at = server.listen_tcp("127.0.0.1", 0);
    server.async_run([](partyline::error_code) {});
    server.close();
    context.run();
    return at.port() != 0 ? 0 : 1;
}
