#include "fifo_server.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

namespace json = boost::json;

namespace partyline::test {
namespace {

// Open for both, so that neither end waits for the other.
unique_fd make_fifo(const std::string& path)
{
    unique_fd both(::mkfifo(path.c_str(), 0600) == 0 ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1);
    if (both.get() < 0)
        throw std::system_error(errno, std::generic_category(), path);
    return both;
}

} // namespace

fifo_server::fifo_server() : requests_(make_fifo(folder_ / "requests")), replies_(make_fifo(folder_ / "replies")) {}

std::vector<std::string> fifo_server::behind(std::vector<std::string> options) const
{
    const std::string folder = folder_ / "";
    options.insert(options.end(), {"--threads", "1", "--", "sh", "-c", // one server, as there is one of each FIFO
                                   "exec 3<&0; cat <&3 >'" + folder + "requests' & exec cat '" + folder + "replies'"});
    return options;
}

json::object fifo_server::read(std::string_view method)
{
    while (const auto line = requests_.read_line()) {
        json::object message = json::parse(*line).as_object();
        const json::value* const its = message.if_contains("method");
        if (method.empty() || (its && its->as_string() == method))
            return message;
    }
    throw std::runtime_error("no " + std::string(method) + " has come");
}

void fifo_server::write(const std::string& message)
{
    write_all(replies_.get(), message + '\n');
}

void fifo_server::answer(const json::object& request, std::string_view result, const std::string& before)
{
    write(before + "{\"jsonrpc\":\"2.0\",\"id\":" + json::serialize(request.at("id")) +
          ",\"result\":" + std::string(result) + '}');
}

std::string fifo_server::begin_session(http_client& client, bool is_first, const std::string& name)
{
    client.post("/mcp", R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                        R"("capabilities":{},"clientInfo":{"name":")" +
                            name + R"(","version":"1"}}})");
    if (is_first)
        answer(read("initialize"), R"({"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{}},)"
                                   R"("serverInfo":{"name":"s","version":"1"}})");
    const std::string field = "Mcp-Session-Id: " + client.response().field("mcp-session-id") + "\r\n";
    if (client.ask("/mcp", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", field).status != 202)
        throw std::runtime_error("the end of the greeting is refused");
    return field;
}

} // namespace partyline::test
