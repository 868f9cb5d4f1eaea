#pragma once

namespace call {

/// What bash reads to complete the command line: options, and the methods that the server tells of.
extern const char* const bash_completion;

} // namespace call
