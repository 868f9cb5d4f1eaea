#pragma once

#include "access/file/access_file.hpp"
#include "access/file/node.hpp"

namespace partyline::access {

// Who may call what, and how often. What is wrong throws `file_error`.

void read_implied_scopes(const node& from, access_file& into);
void read_rules(const node& from, access_file& into);
void read_limits(const node& from, access_file& into);

} // namespace partyline::access
