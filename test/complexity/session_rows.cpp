// Sessions of MCP over HTTP, in a table that is full.

#include "http/serve/http_service.hpp"
#include "http/sessions/session_table.hpp"
#include "rows.hpp"

#include <partyline/mcp/server.hpp>

#include <boost/asio/io_context.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace asio = boost::asio;

namespace partyline::test {
namespace {

struct full_table {
    explicit full_table(std::size_t size)
        : core(std::make_shared<http::http_service>(context.get_executor(), http::server_options())),
          table(limits(size), std::numeric_limits<std::size_t>::max())
    {
        for (std::size_t i = 0; i != size; ++i)
            add();
    }
    ~full_table() { table.end_all(); }

    static http::mcp_session_limits limits(std::size_t size)
    {
        http::mcp_session_limits most;
        most.sessions = size;
        return most;
    }
    void add()
    {
        session_options session = core->options().session;
        std::shared_ptr<const dispatcher> methods = make.for_session(core->executor(), session);
        const http::request_head head;
        const peer_identity from;
        const http::request begins{head, {}, {}, {}, from};
        table.add(std::make_shared<http::mcp_session>(core, http::session_table::make_id({}), 1000, begins,
                                                      std::move(methods), std::move(session)));
    }

    asio::io_context context;
    std::shared_ptr<http::http_service> core;
    mcp::server offered{"row", "1"};
    const served_methods make = offered.session_maker();
    http::session_table table;
};

} // namespace

// One more begins in a table of many, against one of few.
work sessions(bool is_hostile)
{
    const auto full = std::make_shared<full_table>(is_hostile ? 2000 : 20);
    return [full] {
        for (int i = 0; i != 100; ++i) {
            if (!full->table.make_room(1000))
                throw std::runtime_error("there was no room in the table of sessions");
            full->add();
        }
    };
}

} // namespace partyline::test
