#pragma once

/// Everything that a language server needs besides partyline.hpp.

#include <partyline/lsp/client_info.hpp>
#include <partyline/lsp/error_codes.hpp>
#include <partyline/lsp/handshake.hpp>
#include <partyline/lsp/profile.hpp>
#include <partyline/lsp/registration.hpp>
#include <partyline/lsp/work_done_progress.hpp>
