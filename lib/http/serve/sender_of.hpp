#pragma once

#include "http/wire/request_head.hpp"
#include "session/sender_facts.hpp"

#include <partyline/session/session_options.hpp>

#include <string>
#include <vector>

namespace partyline::http {

/// What a request tells of the messages that come by it, as far as the options of their session ask for that: the
/// fields of these `names`, and a trace, which counts as none where it is not as the specification says, or several
/// fields tell it.
sender_facts sender_of(const request_head& head, const session_options& of, const std::vector<std::string>& names);

} // namespace partyline::http
