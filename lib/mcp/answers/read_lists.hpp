#pragma once

#include <partyline/config.hpp>
#include <partyline/mcp/client/listed.hpp>
#include <partyline/protocol/json_text.hpp>

#include <string_view>

namespace partyline::mcp {

/// What there is a list of: which method gives it.
template <listed T>
PARTYLINE_EXPORT std::string_view list_method() noexcept;

/// A page of it, as a server has answered it. What does not fit throws `failed_call`, see read_result.hpp.
template <listed T>
page<T> read_page(const json_text& result);

} // namespace partyline::mcp
