#include "http/serve/timed_connections.hpp"

namespace partyline::http {

timed_connections::list* timed_connections::list_of(connection::phase at) noexcept
{
    switch (at) {
    case connection::phase::fresh: return &fresh_;
    case connection::phase::handshaking: return &handshaking_;
    case connection::phase::idle: return &idle_;
    case connection::phase::closed: return nullptr;
    default: return &busy_;
    }
}

void timed_connections::place(connection& one, connection::phase was, connection::phase now) noexcept
{
    list* const from = one.is_linked() ? list_of(was) : nullptr;
    list* const to = list_of(now);
    if (from == to)
        return;
    if (from)
        from->erase(from->iterator_to(one));
    if (from == &handshaking_)
        handshakes_.remove(one);
    if (to)
        to->push_back(one);
}

void timed_connections::bound_handshakes(std::size_t most) noexcept
{
    while (handshakes_.size() > most)
        static_cast<connection&>(handshakes_.next_to_leave()).stop_at_once();
}

void timed_connections::on_tick(connection::clock::time_point now)
{
    for (list* const waiting : {&fresh_, &handshaking_, &idle_}) {
        while (!waiting->empty() && waiting->front().has_waited_too_long(now))
            waiting->front().stop_at_once();
    }
    for (auto next = busy_.begin(); next != busy_.end();) {
        connection& one = *next++; // it may leave, and no other one does
        one.on_tick(now);
    }
}

void timed_connections::give_up() noexcept
{
    for (list* const waiting : {&fresh_, &handshaking_, &idle_}) {
        while (!waiting->empty())
            waiting->front().stop_at_once();
    }
    for (auto next = busy_.begin(); next != busy_.end();) {
        connection& one = *next++; // it may leave, and no other one does
        one.give_up();
    }
}

} // namespace partyline::http
