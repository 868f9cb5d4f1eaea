#include "idle_connections.hpp"

#include <thread>

namespace bench::http {

void open_idle(trial& run, std::size_t count, std::uint64_t seed)
{
    if (count == 0)
        return;
    random_source random(seed);
    const request_set asked({.method = "echo", .fill = text_of(16), .count = count}, random);
    for (std::size_t i = 0; i < count; ++i) {
        const caller one = run.open();
        run.exchange(*one.over, request_of(one.how, body_of(asked, i)));
    }
    run.check(asked);
    std::this_thread::sleep_for(std::chrono::seconds(3));
}

slow_connections::slow_connections(trial& run, std::size_t count)
    : wire_(run.wire()), count_(count), begin_("POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
{
}

void slow_connections::fill()
{
    while (wire_.doomed().size() < count_)
        wire_.send(wire_.open_doomed(), begin_);
}

void slow_connections::poll()
{
    if (count_ == 0 || clock::now() < due_)
        return;
    due_ += std::chrono::seconds(1) / count_;
    fill();
    next_ = (next_ + 1) % count_;
    wire_.send(*wire_.doomed()[next_], "x");
}

} // namespace bench::http
