#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string with_length(const std::string& value)
{
    return post_with("Content-Length:" + value + "\r\n", "01234");
}

std::string with_length_fields(const std::string& fields)
{
    return post_with(fields + "\r\n", "01234");
}

} // namespace

std::vector<request_row> length_rows()
{
    const std::string two = host_line + "Content-Length: 2\r\n\r\n{}X";
    std::vector<request_row> rows{
        {"no length", post_with({}, "GET"), request_row::fine, {}, "GET"},
        {"a length", with_length(" 5"), request_row::fine, "01234"},
        {"zeros in front", with_length(" 0005"), request_row::fine, "01234"},
        {"eighteen digits", with_length(" 000000000000000005"), request_row::fine, "01234"},
        {"blanks around", with_length(" \t 5 \t"), request_row::fine, "01234"},
        {"no blank", with_length("5"), request_row::fine, "01234"},
        {"in capitals", with_length_fields("CONTENT-LENGTH: 5"), request_row::fine, "01234"},
        {"nothing", with_length(" 0"), request_row::fine, {}, "01234"},
        {"nothing twice", with_length(" 00"), request_row::fine, {}, "01234"},
        {"a shorter one", with_length(" 3"), request_row::fine, "012", "34"},
        {"a longer one", with_length(" 6"), request_row::unfinished},
        {"no octal number", post_with("Content-Length: 010\r\n", "0123456789X"), request_row::fine, "0123456789", "X"},
        {"a pipelined request", post_with("Content-Length: 2\r\n", "{}GET / HTTP"), request_row::fine, "{}",
         "GET / HTTP"},
        {"names like it",
         with_length_fields("Content_Length: 5\r\nX-Content-Length: 5\r\nContentLength: 5"),
         request_row::fine,
         {},
         "01234"},
        {"a name like it and the right one", with_length_fields("Content-Length: 3\r\nContent_Length: 5"),
         request_row::fine, "012", "34"},
        {"one in another's value", with_length_fields("X: Content-Length: 5"), request_row::fine, {}, "01234"},
        {"with GET", "GET / HTTP/1.1\r\n" + two, request_row::fine, "{}", "X"},
        {"with HEAD", "HEAD / HTTP/1.1\r\n" + two, request_row::fine, "{}", "X"},
        {"with OPTIONS", "OPTIONS * HTTP/1.1\r\n" + two, request_row::fine, "{}", "X"},
        {"in HTTP/1.0", "POST / HTTP/1.0\r\n" + two, request_row::fine, "{}", "X"},
        {"with an expectation", with_length_fields("Content-Length: 5\r\nExpect: 100-continue"), request_row::fine,
         "01234"},
    };
    add_rows(rows, 400, {"",     " ",    " +5",    " -5",  " -0",   " -1",    " +0",     " 0x5",  " 0X5",     " x5",
                         " 0o5", " 0b1", " 5a",    " a5",  " abc",  " 5h",    " 5 5",    " 5\t5", " 5.0",     " 5.",
                         " .5",  " 5e0", " 1_0",   " 1'0", " 5,",   " ,5",    " 5,5",    " 5, 5", " 5, 5, 5", " 5, 6",
                         " 5,0", " 5;5", " 5;q=1", " 5/5", " 5-5",  " \"5\"", " '5'",    " (5)",  " [5]",     " $5",
                         " 5%",  " %35", " NaN",   " inf", " null", " true",  " 5 bytes"},
             with_length);
    add_rows(rows, 400,
             {" 0000000000000000005",
              " 9223372036854775807",
              " 9223372036854775808",
              " 18446744073709551615",
              " 18446744073709551616",
              " 18446744073709551621",
              " 99999999999999999999",
              " " + std::string(100, '1'),
              " " + std::string(100, '0') + "5",
              " \xef\xbc\x95",
              " \xd9\xa5",
              " 5\xc2\xa0",
              " \u00a05",
              " 5\xff",
              " 5\0"s,
              " \0005"s,
              " \v5",
              " 5\v",
              " 5\f",
              " 5\x7f",
              " 5\x85",
              " 5\r",
              " 5\n",
              "\r\n 5",
              " 5\r\n 0",
              " 5\r\n\t",
              " 1\r\n 0"},
             with_length);
    add_rows(rows, 413, {" 1048577", " 2000000", " 4294967301", " 999999999", " 999999999999999999"}, with_length);
    add_rows(rows, 400,
             {"Content-Length: 5\r\nContent-Length: 5",
              "Content-Length: 5\r\nContent-Length: 6",
              "Content-Length: 5\r\ncontent-length: 0",
              "Content-Length: 0\r\nContent-Length: 5",
              "Content-Length: 5\r\nX: y\r\nContent-Length: 5",
              "Content-Length: 5\r\nContent-Length:",
              "Content-Length:\r\nContent-Length: 5",
              "Content-Length: 05\r\nContent-Length: 5",
              "Content-Length : 5",
              "Content-Length\t: 5",
              " Content-Length: 5",
              "\tContent-Length: 5",
              "Content Length: 5",
              "Content\tLength: 5",
              "Content-Length",
              "Content-Length 5",
              "Content-Length=5",
              "Content-Length\0: 5"s,
              "Content-Length\v: 5",
              "Content-Length\xc2\xa0: 5",
              "\ufeffContent-Length: 5",
              "Content-Length: 5\r\nContent-Length : 0",
              "Content-Length: 5\r\n Content-Length: 0",
              "X: a\nContent-Length: 5",
              "X: a\rContent-Length: 5",
              "X: a\r\r\nContent-Length: 5",
              "X: a\0\r\nContent-Length: 5"s},
             with_length_fields);
    return rows;
}

} // namespace partyline::test
