#pragma once

#include <partyline/protocol/errc.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace partyline::test {

/// What a language server says to a stream.
struct lsp_conversation {
    /// The id and the error's code, or 0, of each answer, in order: "1 -32002".
    std::vector<std::string> answers;
    error_code end;
    /// Unset when not all of it can be known: Boost.JSON has limits of its own, and `processId` may name a process.
    bool is_certain = true;
};

/// The messages of a stream of lines.
std::vector<std::string> messages_of(std::string_view stream);
/// The same stream with each message behind a header.
std::string behind_headers(const std::vector<std::string>& messages);
/// What was said behind headers, as lines.
std::string without_headers(std::string_view said);

/// What `plain_lsp_methods` in the LSP profile owe these messages: worked out over trees, by the specification.
lsp_conversation expect_lsp(const std::vector<std::string>& messages);

/// What was said, in the same terms; `end` is not set.
lsp_conversation read_lsp(std::string_view lines);

} // namespace partyline::test
