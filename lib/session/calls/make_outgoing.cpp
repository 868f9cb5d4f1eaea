#include "session/calls/make_outgoing.hpp"

#include "session/calls/held_call.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace partyline {
namespace {

enum class place : std::uint8_t { alone, among_others };

intercepted_call intercept(const outgoing_element& what, const call_options& options, const call_origin& origin,
                           std::size_t depth, place at = place::among_others)
{
    const bool is_posted_alone = origin.rules.are_posted && at == place::alone;
    intercepted_call made{peer_call(origin.rules.metadata, depth, origin.from, !what.is_call, is_posted_alone),
                          origin.rules.around, depth};
    made.call.method = what.method;
    made.call.params = json_text(json_view::checked(what.params));
    made.call.options = options;
    return made;
}

// What has passed it all: with what middleware has made of it, or has answered.
outgoing_element element_of(intercepted_call& passed, error_code& failed)
{
    peer_call& call = passed.call;
    outgoing_element made =
        make_element(std::move(call.method), call.params, !call.is_notification(), passed.depth, failed);
    made.proof_beside = call.take_proof_beside();
    if (passed.answer)
        made.answer = std::make_unique<const response>(*std::move(passed.answer));
    return made;
}

// Up to the first coroutine, which then holds it.
bool passes_plain(intercepted_call& on_its_way)
{
    while (on_its_way.next != on_its_way.around.size() && !on_its_way.answer) {
        if (on_its_way.around[on_its_way.next].is_coroutine())
            return false;
        pass_one(on_its_way);
    }
    return true;
}

// An element of a batch can't be held.
void pass_all_plain(intercepted_call& on_its_way)
{
    while (!passes_plain(on_its_way))
        ++on_its_way.next;
}

} // namespace

outgoing_element make_element(std::string method, const call_params& params, bool is_call, std::size_t depth,
                              error_code& failed)
{
    outgoing_element made{std::move(method), {}, is_call, nullptr};
    // The envelope is a level, too.
    const error_code problem = params.append_to(made.params, depth == 0 ? 0 : depth - 1);
    if (made.method.empty() || problem)
        failed = errc::bad_params;
    return made;
}

outgoing_element make_told(std::string method, const call_params& params, bool is_call, std::size_t depth,
                           const call_options& options, const call_origin& origin, error_code& failed)
{
    outgoing_element what = make_element(std::move(method), params, is_call, depth, failed);
    if (origin.rules.around.empty() || failed) [[likely]]
        return what;
    intercepted_call passed = intercept(what, options, origin, depth);
    pass_all_plain(passed);
    return element_of(passed, failed);
}

std::shared_ptr<outgoing_message> make_call(std::string method, const call_params& params, call_options options,
                                            call_handler done, call_origin origin, error_code& failed)
{
    outgoing_element what = make_element(std::move(method), params, true, origin.rules.depth, failed);
    completion<error_code, response> told(std::move(done), std::move(origin.home));
    if (!origin.rules.around.empty() && !failed) [[unlikely]] {
        intercepted_call passed = intercept(what, options, origin, origin.rules.depth, place::alone);
        if (!passes_plain(passed))
            return std::make_shared<held_request>(std::move(passed), std::move(told));
        options = passed.call.options;
        what = element_of(passed, failed);
    }
    auto made = std::make_shared<outgoing_call>(std::move(what), std::move(told));
    made->options = std::move(options);
    return made;
}

std::shared_ptr<outgoing_message> make_notification(std::string method, const call_params& params, notify_handler done,
                                                    call_origin origin, error_code& failed)
{
    outgoing_element what = make_element(std::move(method), params, false, origin.rules.depth, failed);
    completion<error_code> told(std::move(done), std::move(origin.home));
    if (!origin.rules.around.empty() && !failed) [[unlikely]] {
        intercepted_call passed = intercept(what, {}, origin, origin.rules.depth);
        if (!passes_plain(passed))
            return std::make_shared<held_notification>(std::move(passed), std::move(told));
        what = element_of(passed, failed);
    }
    return std::make_shared<outgoing_notification>(std::move(what), std::move(told));
}

std::shared_ptr<outgoing_message> make_batch(const call_batch& calls, call_options options, batch_handler done,
                                             call_origin origin, error_code& failed)
{
    const std::size_t depth = origin.rules.depth == 0 ? 0 : origin.rules.depth - 1;
    std::vector<outgoing_element> elements;
    for (const call_batch::element& e : calls.elements())
        elements.push_back(make_told(e.method, e.params, e.is_call, depth, options, origin, failed));
    auto made = std::make_shared<outgoing_batch>(
        std::move(elements), completion<error_code, std::vector<response>>(std::move(done), std::move(origin.home)));
    made->options = std::move(options);
    return made;
}

} // namespace partyline
