#pragma once

#include "trial.hpp"
#include "wire.hpp"

#include <string>
#include <vector>

namespace bench {

/// A server made with another library, as `bash cmake/setup.sh peers` has set it up.
struct peer {
    std::string name = {};
    std::string version = {};
    std::string command = {};
    framing how = framing::ndjson;
    protocol spoken = protocol::json_rpc;
    service served = service::streams;
    bool is_gateway = false; // its command goes on with that of a server, which it is put in front of
};

/// Those that `file` names; none when there is no such file. Throws `std::runtime_error` when it can't be understood.
std::vector<peer> read_peers(const std::string& file);

} // namespace bench
