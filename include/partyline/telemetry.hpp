#pragma once

/// All that is needed to let others see what a program serves: metrics.

#include <partyline/telemetry/metrics.hpp>
