#pragma once

#include "http/serve/connection.hpp"
#include "http/serve/http_service.hpp"

#include <exception>
#include <memory>
#include <string>
#include <utility>

namespace partyline::http {

// What has come and was not taken is for the next stage, which `serve` makes of the channel.
template <class Serve>
void connection::hand_over(const Serve& serve)
{
    const std::string untaken(work_->untaken());
    enter(phase::closed);
    kept_.drop();
    rest();
    std::unique_ptr<served_connection> next;
    try {
        next = serve(std::move(channel_).with_first(untaken), hooks_.on_end);
    } catch (...) {
        core_->note_failure(std::current_exception());
        return core_->post_end(std::exchange(hooks_.on_end, nullptr));
    }
    hooks_.on_end = nullptr;
    connection_stages& stages = *stages_;
    const bool has_to_end = core_->is_draining(); // all were told, and this one was not there yet
    stages.enter(std::move(next));
    if (has_to_end)
        stages.close_in_order();
}

} // namespace partyline::http
