#include "server_process.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <sstream>
#include <stdexcept>

namespace partyline::test {

namespace {

std::string place(const std::source_location& at)
{
    return std::string(at.file_name()) + ":" + std::to_string(at.line());
}

} // namespace

server_process::server_process(const std::string& program, std::vector<std::string> options, wire ends)
    : server_process(program, std::move(options), std::move(ends), -1)
{
}

server_process::server_process(const std::string& program, std::vector<std::string> options, wire ends, int error_fd)
    : error_file_(error_fd < 0 ? make_memory_file() : duplicate(error_fd)), to_(std::move(ends.to_server)),
      from_(ends.from_server ? line_reader(std::move(ends.from_server)) : line_reader()),
      child_(program, options, {ends.server_in.get(), ends.server_out.get(), error_file_.get()})
{
    // What the server was given is closed here: it would never see the end of its input else.
}

void server_process::send(std::string_view message)
{
    send_bytes(std::string(message) + "\n");
}

void server_process::send_request(std::string_view method, std::string_view params)
{
    std::string text = R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + '"';
    if (!params.empty())
        text += R"(,"params":)" + std::string(params);
    send(text + "}");
}

std::string server_process::read_line()
{
    std::optional<std::string> line = from_.read_line();
    if (!line)
        throw std::runtime_error("the server's output ended");
    return std::move(*line);
}

boost::json::object server_process::read_message()
{
    return boost::json::parse(read_line()).as_object();
}

void server_process::expect(std::string_view text, here at)
{
    BOOST_TEST_CONTEXT("expected at " << place(at))
    {
        BOOST_TEST(read_line() == text);
    }
}

void server_process::expect_result(std::string_view result, here at)
{
    expect(R"({"jsonrpc":"2.0","id":1,"result":)" + std::string(result) + "}", at);
}

boost::json::value server_process::expect_error(std::string_view id, int code, here at)
{
    BOOST_TEST_CONTEXT("expected at " << place(at))
    {
        return check_error(read_message(), id, code);
    }
    return {};
}

void server_process::expect_silence(here at)
{
    const std::string id = "\"probe " + std::to_string(++probes_) + "\"";
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"echo"})");
    expect(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":null})", at);
}

void server_process::expect_reading(here at)
{
    const std::string id = "\"probe " + std::to_string(++probes_) + "\"";
    send(R"({"jsonrpc":"2.0","method":null,"id":)" + id + "}");
    expect_error(id, -32600, at);
}

std::map<std::string, std::uint64_t> server_process::stats() const
{
    std::map<std::string, std::uint64_t> by_name;
    std::istringstream lines(errors());
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos && line.find_first_not_of("0123456789", colon + 2) == std::string::npos)
            by_name[line.substr(0, colon)] = std::stoull(line.substr(colon + 2));
    }
    return by_name;
}

void server_process::expect_end(int exit_code, here at)
{
    BOOST_TEST_CONTEXT("expected at " << place(at))
    {
        BOOST_TEST(from_.read_rest() == "");
        BOOST_TEST(wait_exit() == exit_code);
    }
}

boost::json::value check_error(const boost::json::object& reply, std::string_view id, int code)
{
    BOOST_TEST_CONTEXT("reply " << boost::json::serialize(reply))
    {
        BOOST_TEST(reply.at("jsonrpc").as_string() == "2.0");
        BOOST_TEST(!reply.contains("result"));
        BOOST_TEST(boost::json::serialize(reply.at("id")) == id);
        const boost::json::object& error = reply.at("error").as_object();
        BOOST_TEST(error.at("code").as_int64() == code);
        BOOST_TEST(!error.at("message").as_string().empty());
        const boost::json::value* data = error.if_contains("data");
        return data ? *data : boost::json::value();
    }
    return {};
}

void check_limit(const boost::json::value& data, std::size_t limit, std::size_t value)
{
    BOOST_TEST(data.at("limit").to_number<std::size_t>() == limit);
    BOOST_TEST(data.at("value").to_number<std::size_t>() == value);
}

echo_server::echo_server(std::vector<std::string> options, wire ends, int error_fd)
    : server_process(PARTYLINE_ECHO, std::move(options), std::move(ends), error_fd)
{
}

witnessed_server::witnessed_server(std::vector<std::string> options, wire ends)
    : witnessed_server(std::move(options), std::move(ends), make_pipe())
{
}

witnessed_server::witnessed_server(std::vector<std::string> options, wire ends, pipe_ends errors)
    : server_process(PARTYLINE_ECHO, std::move(options), std::move(ends), errors.write.get()),
      log_(std::move(errors.read))
{
}

void witnessed_server::settle()
{
    for (int i = 0; i < 2; ++i) {
        const std::string mark = "mark " + std::to_string(++marks_);
        send(R"({"jsonrpc":"2.0","method":"log","params":{"message":")" + mark + R"("}})");
        BOOST_TEST(log_.read_line().value_or("(end)") == mark);
    }
}

noisy_server::noisy_server(wire ends) : server_process(PARTYLINE_NOISY_SERVER, {}, std::move(ends)) {}

noisy_server::noisy_server(wire ends, int error_fd)
    : server_process(PARTYLINE_NOISY_SERVER, {}, std::move(ends), error_fd)
{
}

} // namespace partyline::test
