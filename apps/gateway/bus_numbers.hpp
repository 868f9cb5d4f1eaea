#pragma once

#include "command_line/observer.hpp"

#include <partyline/fleet/totals.hpp>

#include <vector>

namespace gateway {

/// Adds those of another front of the same program.
void add(partyline::fleet::front_totals& to, const partyline::fleet::front_totals& more) noexcept;

/// The numbers of a gateway on a bus, for its metrics: those of the connection, and of a front or of a worker.
std::vector<command_line::observed_number> numbers_of(const partyline::fleet::bus_totals& bus,
                                                      const partyline::fleet::front_totals& front);
std::vector<command_line::observed_number> numbers_of(const partyline::fleet::bus_totals& bus,
                                                      const partyline::fleet::worker_totals& worker);

} // namespace gateway
