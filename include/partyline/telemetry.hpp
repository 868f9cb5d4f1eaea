#pragma once

/// All that is needed to observe a program: metrics, traces and a message log.

#include <partyline/telemetry/call_spans.hpp>
#include <partyline/telemetry/message_line.hpp>
#include <partyline/telemetry/metrics.hpp>
#include <partyline/telemetry/span_writer.hpp>
