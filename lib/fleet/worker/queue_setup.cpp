#include "fleet/worker/queue_setup.hpp"

#include "fleet/wire/names.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace partyline::fleet {
namespace {

constexpr std::array<std::string_view, 3> named = {"the stream", "the consumer", "the bucket of claims"};

// Error codes of JetStream (server/errors.json).
constexpr int differs = 10058;        // a stream of that name, with other settings
constexpr int has_no_cluster = 10074; // for more than one replica

} // namespace

queue_setup::queue_setup(std::string worker, std::string service, std::size_t replicas)
    : worker_(std::move(worker)), service_(std::move(service)), asked_replicas_(replicas)
{
}

void queue_setup::begin() noexcept
{
    step_ = 0;
    is_alone_ = false;
    ++request_;
}

queue_settings queue_setup::settings() const
{
    queue_settings made;
    made.replicas = asked_replicas_ != 0 ? asked_replicas_ : is_alone_ ? 1 : 3;
    return made;
}

publication queue_setup::next() const
{
    const queue_settings how = settings();
    api_request request = step_ == 0   ? create_queue(service_, how)
                          : step_ == 1 ? create_consumer(service_, how)
                                       : create_bucket(claims_bucket, how.claims, how);
    publication made = make_publication(std::move(request.subject), std::move(request.payload));
    made.reply_to = worker_subject(worker_, worker_use::setup, request_);
    return made;
}

// What is there with other settings was made by somebody who wants them so. The server says that a stream is there
// before it has made all of it, for another worker maybe: a consumer that is made meanwhile delivers nothing, ever
// (nats-server 2.9). When it was made is said by the server's clock, which may be another one than ours: so each
// consumer waits.
queue_setup::outcome queue_setup::on_answer(std::uint64_t number, const bus_message& message)
{
    if (is_ready() || number != request_)
        return {};
    const api_answer answer = read_api_answer(message);
    if (!answer.is_ok && answer.error_code == has_no_cluster && asked_replicas_ == 0 && !is_alone_) {
        is_alone_ = true;
        ++request_;
        return {true, false, {}};
    }
    outcome made;
    if (!answer.is_ok)
        made.problem = std::string(named[step_]) + " of the service \"" + service_ + "\": " + answer.description;
    made.goes_on = answer.is_ok || answer.error_code == differs;
    if (made.goes_on) {
        made.is_to_wait = step_ == 0;
        ++step_;
        ++request_;
    }
    return made;
}

} // namespace partyline::fleet
