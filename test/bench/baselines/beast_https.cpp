// beast-https CERTIFICATE KEY: what partyline is measured against by HTTP over TLS: Beast's own example of such a
// server, with one answer, which is the body of the POST again.

#include "beast_posts.hpp"
#include "over_tls.hpp"

#include <boost/beast/ssl.hpp>

int main(int argc, char** argv)
{
    using namespace baseline;
    using stream = beast::ssl_stream<beast::tcp_stream>;
    return listen_over_tls<stream>("https://", argc, argv, serve_posts<stream>);
}
