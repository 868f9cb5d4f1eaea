#include "session/calls/make_outgoing.hpp"

#include <utility>
#include <vector>

namespace partyline {
namespace {

outgoing_element make_element(std::string method, const call_params& params, bool is_call, std::size_t depth,
                              error_code& failed)
{
    outgoing_element made{std::move(method), {}, is_call};
    // The envelope is a level, too.
    const error_code problem = params.append_to(made.params, depth == 0 ? 0 : depth - 1);
    if (made.method.empty() || problem)
        failed = errc::bad_params;
    return made;
}

} // namespace

std::shared_ptr<outgoing_message> make_call(std::string method, const call_params& params, call_options options,
                                            call_handler done, boost::asio::any_io_executor home, std::size_t depth,
                                            error_code& failed)
{
    auto made = std::make_shared<outgoing_call>(make_element(std::move(method), params, true, depth, failed),
                                                completion<error_code, response>(std::move(done), std::move(home)));
    made->options = std::move(options);
    return made;
}

std::shared_ptr<outgoing_message> make_notification(std::string method, const call_params& params, notify_handler done,
                                                    boost::asio::any_io_executor home, std::size_t depth,
                                                    error_code& failed)
{
    return std::make_shared<outgoing_notification>(make_element(std::move(method), params, false, depth, failed),
                                                   completion<error_code>(std::move(done), std::move(home)));
}

std::shared_ptr<outgoing_message> make_batch(const call_batch& calls, call_options options, batch_handler done,
                                             boost::asio::any_io_executor home, std::size_t depth, error_code& failed)
{
    std::vector<outgoing_element> elements;
    for (const call_batch::element& e : calls.elements())
        elements.push_back(make_element(e.method, e.params, e.is_call, depth == 0 ? 0 : depth - 1, failed));
    auto made = std::make_shared<outgoing_batch>(
        std::move(elements), completion<error_code, std::vector<response>>(std::move(done), std::move(home)));
    made->options = std::move(options);
    return made;
}

} // namespace partyline
