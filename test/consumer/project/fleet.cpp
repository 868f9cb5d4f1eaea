// A user's program that passes calls on to other machines, against the installed library.
#include <partyline/fleet.hpp>

#include <boost/asio/io_context.hpp>

#include <stdexcept>

int main()
{
    partyline::fleet::bus_options options;
    options.servers = {"nats://127.0.0.1:1"};
    const partyline::fleet::bus bus(options);
    boost::asio::io_context context;
    try {
        const partyline::fleet::front refused(context.get_executor(), bus, "no name");
    } catch (const std::invalid_argument&) {
        return bus.is_connected() ? 1 : 0;
    }
    return 1;
}
