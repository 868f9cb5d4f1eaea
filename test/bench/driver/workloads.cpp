#include "workloads.hpp"

#include <iterator>

namespace bench {

std::vector<workload> all_workloads(bool is_quick)
{
    const sizes size(is_quick);
    std::vector<workload> all = echo_workloads(size);
    const auto add = [&all](std::vector<workload> more) {
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    if (PARTYLINE_HAS_MCP)
        add(mcp_workloads(size));
    add(method_workloads(size));
    add(port_workloads(size));
    return all;
}

} // namespace bench
