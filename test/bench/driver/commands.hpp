#pragma once

#include "options.hpp"
#include "trial.hpp"
#include "workloads.hpp"

#include <partyline/tls/server_options.hpp>

#include <string>

namespace bench {

/// A contender's command line as the reader is told: where the programs lie is this machine's affair.
std::string shown_command(const contender& server);

/// What is run here for it, and how it is talked to. `shown` is what servers over TLS show; null: there are none.
server_spec make_spec(const contender& server, const options& wanted, const partyline::tls::certificate_files* shown,
                      const access_files* access);

} // namespace bench
