#include "read_body.hpp"

#include <boost/test/unit_test.hpp>

namespace partyline::test {

std::ostream& operator<<(std::ostream& out, const body_outcome& of)
{
    return out << "state " << static_cast<int>(of.how) << ", status " << of.status << ", " << of.used
               << " bytes used, body \"" << of.body << '"';
}

http::request_head head_of(http::body_kind kind, std::uint64_t length)
{
    http::request_head head;
    head.body = kind;
    head.content_length = length;
    return head;
}

body_outcome read_body(http::body_reader& reader, const http::request_head& head,
                       const std::vector<std::string_view>& pieces)
{
    reader.start(head);
    body_outcome result;
    for (const std::string_view piece : pieces) {
        const std::string alone(piece);
        std::size_t used = 0;
        result.how = reader.read(alone, used, result.body);
        BOOST_TEST((result.how == reader.current()));
        result.used += used;
    }
    result.status = reader.why().status;
    return result;
}

body_outcome read_body_cut(const http::request_head& head, std::string_view bytes, std::size_t most)
{
    http::body_reader reader(most); // used again and again
    const body_outcome whole = read_body(reader, head, {bytes});
    for (std::size_t cut = 0; cut <= bytes.size(); cut += bytes.size() > 1000 ? 61 : 1)
        BOOST_TEST(read_body(reader, head, {bytes.substr(0, cut), bytes.substr(cut)}) == whole, "cut at " << cut);
    std::vector<std::string_view> single;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        single.push_back(bytes.substr(i, 1));
    BOOST_TEST(read_body(reader, head, single) == whole, "byte by byte");
    return whole;
}

} // namespace partyline::test
