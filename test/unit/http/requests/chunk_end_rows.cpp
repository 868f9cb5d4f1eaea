#include "request_rows.hpp"

using namespace std::literals;

namespace partyline::test {
namespace {

std::string behind_last_chunk(const std::string& text)
{
    return post_chunks("3\r\nabc\r\n0\r\n" + text);
}

void add_right_ends(std::vector<request_row>& rows)
{
    for (const std::string end :
         {"0\r\n\r\n", "000\r\n\r\n", "0;a\r\n\r\n", "0\r\nX: y\r\n\r\n", "0\r\nX:\r\nY: z\r\n\r\n",
          "0\r\nX: \xc3\xa4 \t\r\n\r\n", "0\r\nAuthorization: y\r\n\r\n", "0\r\nContent-Type: y\r\n\r\n",
          "0\r\nX-Host: y\r\n\r\n", "0\r\nTransfer_Encoding: chunked\r\n\r\n"}) {
        const std::string all = post_chunks("3\r\nabc\r\n" + end);
        rows.push_back({end, all, request_row::fine, "abc"});
        rows.push_back({end + " and more", all + "\r\nGET", request_row::fine, "abc", "\r\nGET"});
        rows.push_back({end + " cut off", all.substr(0, all.size() - 1), request_row::unfinished});
    }
    add_rows(rows, request_row::unfinished, {"", "3", "3\r", "3\r\n", "3\r\nab", "3\r\nabc", "3\r\nabc\r\n", "3;a=\"b"},
             post_chunks);
}

void add_trailers(std::vector<request_row>& rows)
{
    add_rows(rows, 400,
             {"\n",
              " \r\n",
              "\t\r\n\r\n",
              "\rX",
              "\r\r\n",
              "\0\r\n"s,
              "0\r\n\r\n",
              "GET / HTTP/1.1\r\n",
              "X\r\n\r\n",
              "X y\r\n\r\n",
              ": y\r\n\r\n",
              "X : y\r\n\r\n",
              "X\t: y\r\n\r\n",
              " X: y\r\n\r\n",
              "X: y\n\r\n",
              "X: y\r\n\n",
              "X: y\rZ: a\r\n\r\n",
              "X: y\r\r\n\r\n",
              "X: y\r\n z\r\n\r\n",
              "X: y\r\n\tz\r\n\r\n",
              "X: \0\r\n\r\n"s,
              "X\0: y\r\n\r\n"s,
              "X: \x7f\r\n\r\n",
              "X: \v\r\n\r\n",
              "\xc3\xa4: y\r\n\r\n",
              "X,Y: z\r\n\r\n"},
             behind_last_chunk);
    add_rows(rows, 400,
             {"Host: b\r\n\r\n", "host:b\r\n\r\n", "Content-Length: 50\r\n\r\n", "CONTENT-LENGTH: 0\r\n\r\n",
              "X: y\r\nContent-Length: 50\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n",
              "Transfer-Encoding: gzip\r\n\r\n", "Connection: close\r\n\r\n", "ConnEction: }\r\n\r\n",
              "Keep-Alive: timeout=5\r\n\r\n", "TE: trailers\r\n\r\n", "Proxy-Connection: close\r\n\r\n",
              "Trailer: X\r\n\r\n", "Upgrade: h2c\r\n\r\n", "Expect: 100-continue\r\n\r\n"},
             behind_last_chunk);
    add_rows(
        rows, 431,
        {"X: " + std::string(5000, 'a') + "\r\n\r\n", std::string(5000, 'a') + ": y\r\n\r\n", std::string(5000, 'a')},
        behind_last_chunk);
}

} // namespace

std::vector<request_row> chunk_end_rows()
{
    std::vector<request_row> rows;
    add_right_ends(rows);
    add_rows(rows, 400,
             {"3\r\nabc\n0\r\n\r\n", "3\r\nabc\r0\r\n\r\n", "3\r\nabc0\r\n\r\n", "3\r\nabc\r\r\n0\r\n\r\n",
              "3\r\nabc\n\r0\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc!!\r\n0\r\n\r\n", "3\r\nabc \r\n0\r\n\r\n",
              "3\r\nabc\0\r\n0\r\n\r\n"s, "4\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n\r\n0\r\n\r\n",
              "3\r\nabc\r\n 0\r\n\r\n", "3\r\nabc\r\n\n0\r\n\r\n", "3\r\nabc\r\n+0\r\n\r\nX", "3\r\nabc\r\n-0\r\n\r\n",
              "3\r\nabc\r\n0x0\r\n\r\n", "3\nabc\n0\n\n", "3\rabc\r0\r\r", "3\n\rabc\r\n0\r\n\r\n"},
             post_chunks);
    add_trailers(rows);
    return rows;
}

} // namespace partyline::test
