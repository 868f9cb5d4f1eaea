#include "workloads.hpp"

#include <iterator>

namespace bench {

std::vector<workload> all_workloads(bool is_quick)
{
    const sizes size = is_quick ? [](std::size_t, std::size_t quick) { return quick; }
                                : [](std::size_t full, std::size_t) { return full; };
    std::vector<workload> all = echo_workloads(size);
    const auto add = [&all](std::vector<workload> more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    if (PARTYLINE_HAS_MCP)
        add(mcp_workloads(size));
    add(method_workloads(size));
    add(http_workloads(size));
    if (PARTYLINE_HAS_MCP)
        add(mcp_port_workloads(size));
    add(websocket_workloads(size));
    add(tls_workloads(size));
    add(access_workloads(size));
    return all;
}

} // namespace bench
