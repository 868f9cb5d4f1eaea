#pragma once

/// Tools for unit tests of handlers, with any test framework: a client over memory, and a context without a session.
/// Failures are exceptions with a sentence.

#include <partyline/testing/client.hpp>
#include <partyline/testing/fake_context.hpp>
