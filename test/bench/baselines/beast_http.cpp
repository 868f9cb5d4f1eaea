// What partyline is measured against over HTTP: Beast's own example of a server of coroutines, with one answer, which
// is the body of the POST again.

#include "beast_posts.hpp"

int main()
{
    using namespace baseline;
    listen("http://", [](tcp::socket socket) { return serve_posts(plain_stream(std::move(socket))); });
}
