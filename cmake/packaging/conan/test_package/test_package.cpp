// Uses each component that the package has, so that each library is linked.
#include <partyline/partyline.hpp>
#ifdef HAS_access
#include <partyline/access.hpp>
#endif
#ifdef HAS_http
#include <partyline/http.hpp>
#endif
#ifdef HAS_mcp
#include <partyline/mcp/mcp.hpp>
#endif
#ifdef HAS_mcp_extensions
#include <partyline/mcp_extensions/server_tasks.hpp>
#endif
#ifdef HAS_tls
#include <partyline/tls.hpp>
#endif

#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <utility>

int main()
{
    boost::asio::io_context context(1);
    partyline::method_table methods;
    methods.add("add", [](int a, int b) { return a + b; }, {"a", "b"});
    bool is_right = methods.names().size() == 1;
#ifdef HAS_access
    is_right = is_right && partyline::access::make_token().token.size() == 43;
#endif
#ifdef HAS_http
    partyline::http::server web(context.get_executor());
    web.add_rpc("/rpc", std::move(methods));
    is_right = is_right && web.threads() == 1;
#endif
#ifdef HAS_mcp
    partyline::mcp::server tools("test_package", PARTYLINE_VERSION_STRING);
#ifdef HAS_mcp_extensions
    const partyline::mcp::server_tasks tasks(tools);
    is_right = is_right && tools.methods()->find("tasks/get") != nullptr;
#endif
    is_right = is_right && tools.methods()->find("tools/list") != nullptr;
#endif
#ifdef HAS_tls
    const partyline::tls::client_context certificates;
#endif
    std::puts(is_right ? "partyline " PARTYLINE_VERSION_STRING " works" : "partyline does not work");
    return is_right ? 0 : 1;
}
