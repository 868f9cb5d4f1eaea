#pragma once

/// What unit tests of handlers need, with any test framework: a client over memory, and a context without a session.
/// What goes wrong is an exception with a sentence.

#include <partyline/testing/client.hpp>
#include <partyline/testing/fake_context.hpp>
