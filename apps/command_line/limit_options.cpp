#include "command_line/limit_options.hpp"

#include "command_line/arguments.hpp"

#include <cstddef>
#include <cstdint>

namespace po = boost::program_options;

namespace command_line {
namespace {

/// A member of `limits` and the option that sets it.
struct limit_option {
    const char* name;
    std::size_t partyline::limits::* member;
    std::int64_t least;
    const char* help;
    std::int64_t most = std::int64_t(1) << 40;
};

const limit_option limit_options[] = {
    {"max-message-bytes", &partyline::limits::message_bytes, 64, "longest message"},
    {"max-depth", &partyline::limits::depth, 1, "deepest nesting", 10'000},
    {"max-id-bytes", &partyline::limits::id_bytes, 1, "longest request id"},
    {"max-batch", &partyline::limits::batch_elements, 1, "most elements of a batch"},
    {"max-header-bytes", &partyline::limits::header_bytes, 24, "longest header of a message"},
    {"max-in-flight", &partyline::limits::in_flight_requests, 1, "most requests in flight"},
    {"max-in-flight-bytes", &partyline::limits::in_flight_bytes, 1, "most bytes of their messages"},
    {"max-waiting", &partyline::limits::waiting_requests, 0, "most requests that wait for their start"},
    {"max-waiting-bytes", &partyline::limits::waiting_bytes, 0, "most bytes of their messages"},
    {"max-peer-waits", &partyline::limits::peer_waits, 0, "most requests that wait for the peer without counting"},
    {"max-calls", &partyline::limits::calls, 1, "most calls to the peer that wait for their replies"},
    {"max-call-bytes", &partyline::limits::call_bytes, 1, "most bytes of calls that wait for room to be sent"},
    {"outbox-soft-bytes", &partyline::limits::outbox_soft_bytes, 0, "unread output that holds handlers up"},
    {"outbox-hard-bytes", &partyline::limits::outbox_hard_bytes, 64, "unread output that holds everything up"},
};

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
        const std::int64_t value = in_range(given, option.name, option.least, option.most);
        result.*option.member = static_cast<std::size_t>(value);
    }
    return result;
}

} // namespace command_line
