// What is around the examples in the comments of public headers, besides the headers that these stand in. Nothing of it
// is linked: examples are only compiled.
#pragma once

#include <partyline/access.hpp>
#include <partyline/connect.hpp>
#include <partyline/http.hpp>
#include <partyline/lsp/lsp.hpp>
#include <partyline/mcp/client.hpp>
#include <partyline/mcp/mcp.hpp>
#include <partyline/mcp/supervised_client.hpp>
#include <partyline/partyline.hpp>
#include <partyline/server.hpp>
#include <partyline/session/session_group.hpp>
#include <partyline/supervisor.hpp>
#include <partyline/telemetry.hpp>
#include <partyline/testing.hpp>
#include <partyline/tls.hpp>
#include <partyline/transport/stdio_stream.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>

#include <cassert>
#include <chrono>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace around {

using namespace std::chrono_literals;
namespace http = partyline::http;
namespace mcp = partyline::mcp;
namespace telemetry = partyline::telemetry;
namespace tls = partyline::tls;
using partyline::args;
using partyline::error_code;
using partyline::named;
using partyline::note;
using partyline::served_event;
using partyline::session;

extern boost::asio::io_context context;
extern boost::asio::any_io_executor executor;
extern boost::asio::thread_pool pool;
extern const boost::asio::detached_t token;
extern partyline::method_table methods;
extern partyline::session peer;
extern const std::shared_ptr<const partyline::access_view> guests;
extern const std::shared_ptr<partyline::session_link> link;
extern partyline::tcp_socket socket;

void show(std::string_view text);
void show(std::string_view text, double done);
void show(std::string_view text, std::string_view more);
std::string contents_of(const std::string& path);
std::runtime_error no_such_file(const std::string& path);
std::vector<std::string> files_in(const std::string& folder);
int lines_in(const std::string& text);
std::vector<std::string> files_with(const std::string& text);
partyline::task<std::string> slow_echo(partyline::request_context& context, std::string text);

struct point {
    int x = 0;
    int y = 0;
};
BOOST_DESCRIBE_STRUCT(point, (), (x, y))

struct settings {
    int width = 80;
};

struct user {
    unsigned number = 0;
};

struct confirm {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirm, (), (yes))

struct clean_args {
    std::string folder;
};
BOOST_DESCRIBE_STRUCT(clean_args, (), (folder))

struct day_args {
    std::string date;
};
BOOST_DESCRIBE_STRUCT(day_args, (), (date))

std::string read_note(const std::string& date);
bool has_note(const std::string& date);

} // namespace around

// For the examples of one header.

namespace around::for_http_client {
extern http::client_options options;
}

namespace around::for_http_client_options {
extern const std::string token;
}

namespace around::for_http_document_fetcher {
extern const std::shared_ptr<partyline::access::gate> gate;
}

namespace around::for_http_mcp_client {
extern http::client_options options;
}

namespace around::for_http_websocket_client {
extern http::client_options options;
extern std::shared_ptr<partyline::method_table> methods;
} // namespace around::for_http_websocket_client

namespace around::for_http_token_source {
struct token_cache {
    std::optional<std::string> unexpired();
};
extern token_cache cache;
boost::asio::awaitable<std::string> fetch_token();
} // namespace around::for_http_token_source

namespace around::for_access_sign_calls {
extern partyline::session_options options;
std::string read_private_file(const std::string& path);
} // namespace around::for_access_sign_calls

namespace around::for_session_operation {
extern mcp::client client;
}

namespace around::for_session_served_event {
extern partyline::session_options options;
void count(std::string_view method, int code, std::chrono::steady_clock::duration taken);
} // namespace around::for_session_served_event

namespace around::for_http_server_options {
extern tls::server_options certificates;
}

namespace around::for_lsp_handshake {
extern partyline::supervisor_options options;
extern boost::json::value params;
} // namespace around::for_lsp_handshake

namespace around::for_lsp_profile {
extern partyline::session_options options;
}

namespace around::for_lsp_client_info {
extern partyline::session context;
std::vector<partyline::lsp::registration> hovers();
} // namespace around::for_lsp_client_info

namespace around::for_lsp_work_done_progress {
partyline::task<void> read_some(partyline::request_context& context);
}

namespace around::for_mcp_client {
extern mcp::client client;
mcp::elicit_answer ask_user(const mcp::elicit_request& asked);
boost::json::object search_args(std::string pattern);
} // namespace around::for_mcp_client

namespace around::for_mcp_client_call_hooks {
extern mcp::client client;
}

namespace around::for_mcp_client_supervised_client_options {
extern mcp::supervised_client_options options;
extern const std::string key;
} // namespace around::for_mcp_client_supervised_client_options

namespace around::for_mcp_supervised_client {
mcp::elicit_answer ask_user(const mcp::elicit_request& asked);
}

namespace around::for_mcp_extensions_client_skills {
void show(const std::string& name, const std::string& description);
}

namespace around::for_mcp_extensions_server_skills {
boost::json::object read_yaml(std::string_view text);
}

namespace around::for_mcp_extensions_server_tasks {
std::string build();
}

namespace around::for_mcp_server_context {
void remove(const std::vector<std::string>& files);
}

namespace around::for_mcp_server {
extern mcp::server server;
struct search_args {
    std::string pattern;
};
BOOST_DESCRIBE_STRUCT(search_args, (), (pattern))
std::vector<std::string> find_files(search_args what);
boost::json::object jobs_of(const std::string& principal);
} // namespace around::for_mcp_server

namespace around::for_mcp_server_listen_topic {
extern mcp::server server;
extern partyline::method_table methods;
} // namespace around::for_mcp_server_listen_topic

namespace around::for_mcp_server_server_options {
extern mcp::server_options options;
void count(std::string_view method);
} // namespace around::for_mcp_server_server_options

namespace around::for_mcp_server_requester {
extern mcp::server_options options;
void count(std::string_view client, std::string_view method);
} // namespace around::for_mcp_server_requester

namespace around::for_mcp_server_state_keys {
std::vector<std::string> secrets_of_all_processes();
}

namespace around::for_mcp_server_tool_options {
extern mcp::resource_options listing;
std::vector<mcp::listed_resource> days_of(const std::string& principal);
} // namespace around::for_mcp_server_tool_options

namespace around::for_mcp_testing_test_client {
extern mcp::server server;
}

namespace around::for_mcp_tool_error {
extern mcp::server server;
}

namespace around::for_protocol_limits {
extern partyline::server_options options;
}

namespace around::for_rpc_middleware {
extern partyline::method_table tools;
extern partyline::method_table admin;
} // namespace around::for_rpc_middleware

namespace around::for_rpc_method_table {
struct counter {
    int step();
};
bool may_call(std::string_view method);
partyline::task<void> count(partyline::subscription_sink sink, int from);
} // namespace around::for_rpc_method_table

namespace around::for_rpc_notes {
enum class unit { utf_8, utf_16 };
BOOST_DESCRIBE_ENUM(unit, utf_8, utf_16)
} // namespace around::for_rpc_notes

namespace around::for_rpc_subscription {
partyline::task<void> count(partyline::subscription_sink sink, int from);
extern partyline::subscription_sink sink;
extern std::ifstream file;
struct feed {
    int newest();
    partyline::task<void> next_change();
};
extern feed source;
} // namespace around::for_rpc_subscription

namespace around::for_rpc_tracing {
extern partyline::session_options options;
}

namespace around::for_run_stdio {
namespace asio = boost::asio;
} // namespace around::for_run_stdio

namespace around::for_session_binding {
int open(point at);
}

namespace around::for_session_call_middleware {
extern partyline::session_options options;
}

namespace around::for_session_clean_up {
struct folder {};
partyline::task<int> compile(partyline::request_context& context, folder& scratch);
partyline::task<void> remove(folder& scratch);
} // namespace around::for_session_clean_up

namespace around::for_session_memory_budget {
extern std::vector<partyline::session_options> all_options;
}

namespace around::for_session_message_event {
extern partyline::session_options options;
}

namespace around::for_session_method_options {
int build_index();
void on_changed(std::string file);
} // namespace around::for_session_method_options

namespace around::for_session_peer_wait {
partyline::task<std::string> answer_of(partyline::request_id id);
}

namespace around::for_session_request_context {
extern partyline::test::fake_context context;
extern std::string folder;
void read(const std::string& file);
} // namespace around::for_session_request_context

namespace around::for_supervisor {
extern partyline::supervisor_options options;
}

namespace around::for_supervisor_options {
extern partyline::supervisor_options options;
extern boost::json::value settings;
} // namespace around::for_supervisor_options

namespace around::for_connect {
void talk(partyline::session with);
}

namespace around::for_testing_fake_context {
int add(partyline::request_context& context, int a, int b);
partyline::task<int> slow_add(partyline::request_context& context, int a, int b);
} // namespace around::for_testing_fake_context

namespace around::for_transport_tcp_address {
extern partyline::server server;
}

// Of the test of all this.
namespace around::for_faulty {
}

namespace around::for_telemetry_call_spans {
extern partyline::session_options options;
}

namespace around::for_telemetry_message_line {
extern partyline::session_options options;
}

namespace around::for_telemetry_metrics {
extern partyline::session_options options;
extern http::server server;
} // namespace around::for_telemetry_metrics

namespace around::for_telemetry_span_writer {
extern partyline::session_options options;
}
