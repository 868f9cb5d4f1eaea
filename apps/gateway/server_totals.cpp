#include "gateway/server_totals.hpp"

#include "gateway/kept_bytes.hpp"
#include "gateway/options.hpp"

#include <partyline/transport/child_process.hpp>

namespace gateway {

server_totals::server_totals(const options& how)
    : command_(how.command), most_places_(how.http.server.mcp.sessions),
      kept_(part_for_kept(how.http.server.session.budget))
{
}

server_totals::place server_totals::take_place()
{
    std::size_t taken = places_;
    do {
        if (taken >= most_places_)
            return nullptr;
    } while (!places_.compare_exchange_weak(taken, taken + 1));
    return {this, [self = shared_from_this()](const void*) { --self->places_; }};
}

bool server_totals::are_well() const
{
    return given_up_ == 0 && !partyline::child_process::check(command_);
}

void server_totals::note_failure()
{
    have_failed_ = true;
    if (on_failure_)
        on_failure_();
}

} // namespace gateway
