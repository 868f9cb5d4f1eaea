// In place of bus_front.cpp and bus_worker.cpp, where the library of the bus is not built.

#include "gateway/bus_front.hpp"
#include "gateway/bus_worker.hpp"

#include <stdexcept>

namespace gateway {
namespace {

[[noreturn]] void refuse()
{
    throw std::invalid_argument("'--bus': this gateway was built without the client library of NATS (libnats)");
}

} // namespace

int serve_front(options)
{
    refuse();
}

int serve_worker(options)
{
    refuse();
}

} // namespace gateway
