#pragma once

/// All that is needed to spread calls over many machines, by NATS with JetStream.

#include <partyline/fleet/bus.hpp>
#include <partyline/fleet/front.hpp>
#include <partyline/fleet/worker.hpp>
