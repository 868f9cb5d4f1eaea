#pragma once

#include "access/file/access_file.hpp"
#include "access/file/node.hpp"

#include <string>

namespace partyline::access {

// Who is who. What is wrong throws `file_error`.

void read_tokens(const node& from, access_file& into);
void read_certificates(const node& from, access_file& into);
void read_users(const node& from, access_file& into);
/// A `jwks_file` is looked for in `folder`.
void read_issuers(const node& from, const std::string& folder, access_file& into);

} // namespace partyline::access
