#include "command_line/limit_options.hpp"

#include "command_line/arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace po = boost::program_options;

namespace command_line {
namespace {

/// A member of `limits` and the option that sets it.
struct limit_option {
    const char* name;
    std::size_t partyline::limits::* member;
    const char* help;
};

const limit_option limit_options[] = {
    {"max-message-bytes", &partyline::limits::message_bytes, "longest message"},
    {"max-depth", &partyline::limits::depth, "deepest nesting"},
    {"max-id-bytes", &partyline::limits::id_bytes, "longest request id"},
    {"max-batch", &partyline::limits::batch_elements, "most elements of a batch"},
    {"max-header-bytes", &partyline::limits::header_bytes, "longest header of a message"},
    {"max-in-flight", &partyline::limits::in_flight_requests, "most requests in flight"},
    {"max-in-flight-bytes", &partyline::limits::in_flight_bytes, "most bytes of their messages"},
    {"max-waiting", &partyline::limits::waiting_requests, "most requests that wait for their start"},
    {"max-waiting-bytes", &partyline::limits::waiting_bytes, "most bytes of their messages"},
    {"max-peer-waits", &partyline::limits::peer_waits, "most requests that wait for the peer without counting"},
    {"max-calls", &partyline::limits::calls, "most calls to the peer that wait for their replies"},
    {"max-call-bytes", &partyline::limits::call_bytes, "most bytes of calls that wait for room to be sent"},
    {"outbox-soft-bytes", &partyline::limits::outbox_soft_bytes, "unread output that holds handlers up"},
    {"outbox-hard-bytes", &partyline::limits::outbox_hard_bytes, "unread output that holds everything up"},
};

const partyline::limit_range& range_of(std::size_t partyline::limits::* member)
{
    return *std::ranges::find(partyline::limit_ranges(), member, &partyline::limit_range::member);
}

} // namespace

po::options_description describe_limits()
{
    po::options_description all("Limits");
    const partyline::limits defaults;
    for (const limit_option& option : limit_options) {
        const auto value = static_cast<std::int64_t>(defaults.*option.member);
        all.add_options()(option.name, po::value<std::int64_t>()->default_value(value), option.help);
    }
    return all;
}

partyline::limits limits_of(const po::variables_map& given)
{
    partyline::limits result;
    for (const limit_option& option : limit_options) {
        const auto& [name, member, least, most] = range_of(option.member);
        const auto highest =
            static_cast<std::int64_t>(std::min(most, std::size_t(1) << 40)); // bytes that none will have
        const std::int64_t value = in_range(given, option.name, static_cast<std::int64_t>(least), highest);
        result.*member = static_cast<std::size_t>(value);
    }
    return result;
}

} // namespace command_line
