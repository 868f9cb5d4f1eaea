#include "support/read_response.hpp"

#include <stdexcept>

namespace partyline::test {
namespace {

using http::body_reader;
using http::response_reader;
using read_state = read_response::read_state;

constexpr std::string_view honest_response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

class piecewise {
public:
    explicit piecewise(const response_reading& how) : heads_(how.most), bodies_(how.most_body)
    {
        heads_.begin(how.what);
    }

    // False when no more is to be read.
    bool feed(std::string_view piece)
    {
        if (has_head_)
            return take_body(piece);
        come_ = std::string(come_).append(piece); // at another place
        response_reader::state now = heads_.read(come_);
        while (now == response_reader::state::done && heads_.head().is_interim()) {
            ++result_.interim;
            result_.used += heads_.size();
            come_ = come_.substr(heads_.size());
            heads_.skip_interim();
            now = heads_.read(come_);
        }
        if (now == response_reader::state::refused)
            return refuse_head();
        return now == response_reader::state::more || take_head();
    }

    read_response end()
    {
        if (has_head_ && result_.how == read_state::more && bodies_.finish() == body_reader::state::done)
            result_.how = read_state::done;
        if (result_.how == read_state::done)
            return result_;
        read_response cut_off;
        cut_off.how = result_.how;
        cut_off.stays_refused = result_.stays_refused;
        return cut_off;
    }

private:
    bool refuse_head()
    {
        result_.how = read_state::refused;
        const std::string reason = heads_.why();
        const std::string more = std::string(come_).append(honest_response);
        result_.stays_refused = heads_.read(more) == response_reader::state::refused && reason == heads_.why();
        return false;
    }

    bool take_head()
    {
        has_head_ = true;
        const http::received_head& head = heads_.head();
        result_.status = head.status;
        result_.reason = head.reason;
        result_.keeps_alive = head.keeps_alive;
        result_.is_to_end = head.body == http::body_kind::to_end;
        result_.used += heads_.size();
        bodies_.start(head.body, head.content_length);
        return take_body(std::string_view(come_).substr(heads_.size()));
    }

    bool take_body(std::string_view bytes)
    {
        std::size_t used = 0;
        const body_reader::state now = bodies_.read(bytes, used, result_.body);
        result_.used += used;
        if (now == body_reader::state::more)
            return true;
        result_.how = now == body_reader::state::done ? read_state::done : read_state::refused;
        return false;
    }

    response_reader heads_;
    body_reader bodies_;
    std::string come_; // of the head
    bool has_head_ = false;
    read_response result_;
};

} // namespace

read_response read_response_in_pieces(const std::vector<std::string_view>& pieces, const response_reading& how)
{
    piecewise reading(how);
    for (const std::string_view piece : pieces) {
        if (!reading.feed(piece))
            break;
    }
    return reading.end();
}

read_response read_response_cut(std::string_view bytes, const response_reading& how)
{
    const read_response whole = read_response_in_pieces({bytes}, how);
    std::vector<std::string_view> single;
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        if (read_response_in_pieces({bytes.substr(0, cut), bytes.substr(cut)}, how) != whole)
            throw std::logic_error("cut at " + std::to_string(cut) + " it is another response: " + std::string(bytes));
        single.push_back(bytes.substr(cut, 1));
    }
    if (read_response_in_pieces(single, how) != whole)
        throw std::logic_error("byte by byte it is another response: " + std::string(bytes));
    return whole;
}

} // namespace partyline::test
