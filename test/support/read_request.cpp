#include "support/read_request.hpp"

namespace partyline::test {
namespace {

using partyline::http::body_reader;
using partyline::http::head_reader;

constexpr std::string_view honest_request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

read_request refused(head_reader& heads, const std::string& come)
{
    read_request result;
    result.how = read_request::read_state::refused;
    result.status = heads.why().status;
    result.stays_refused = heads.read(std::string(come).append(honest_request)) == head_reader::state::refused &&
                           heads.why().status == result.status;
    return result;
}

read_request refused(body_reader& bodies)
{
    read_request result;
    result.how = read_request::read_state::refused;
    result.status = bodies.why().status;
    std::size_t used = 0;
    std::string more;
    result.stays_refused = bodies.read(honest_request, used, more) == body_reader::state::refused && used == 0 &&
                           more.empty() && bodies.why().status == result.status;
    return result;
}

} // namespace

read_request read_in_pieces(const std::vector<std::string_view>& pieces, http::head_limits most, std::size_t most_body)
{
    head_reader heads(most);
    body_reader bodies(most_body);
    read_request result;
    std::string come; // of the head
    bool has_head = false;
    for (const std::string_view piece : pieces) {
        std::string_view rest = piece;
        if (!has_head) {
            come = std::string(come).append(piece); // at another place
            const head_reader::state now = heads.read(come);
            if (now == head_reader::state::refused)
                return refused(heads, come);
            if (now == head_reader::state::more)
                continue;
            has_head = true;
            result.method = heads.head().method;
            result.target = heads.head().target;
            result.host = heads.head().host;
            result.keeps_alive = heads.head().keeps_alive;
            result.used = heads.size();
            bodies.start(heads.head());
            rest = std::string_view(come).substr(heads.size());
        }
        std::size_t used = 0;
        if (bodies.current() == body_reader::state::more)
            bodies.read(rest, used, result.body);
        result.used += used;
        if (bodies.current() == body_reader::state::refused)
            return refused(bodies);
        if (bodies.current() == body_reader::state::done) {
            result.how = read_request::read_state::done;
            return result;
        }
    }
    return {};
}

} // namespace partyline::test
