#include "command_line/access_options.hpp"

#include "command_line/line_log.hpp"

#include <partyline/http/document_fetcher.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/tls/client_context.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <exception>
#include <string_view>
#include <utility>

namespace po = boost::program_options;

namespace command_line {

void describe_access(po::options_description& all)
{
    all.add_options()(
        "access", po::value<std::string>(),
        "authenticate clients and authorize their calls by this file: it names the tokens, certificates and "
        "users of clients, and what each of them may call. Where the program listens, SIGHUP has it read "
        "again");
}

std::shared_ptr<partyline::access::gate> access_of(const po::variables_map& given)
{
    if (!given.count("access"))
        return nullptr;
    return std::make_shared<partyline::access::gate>(given["access"].as<std::string>());
}

void fetch_keys(partyline::access::gate& access, boost::asio::any_io_executor executor, const std::string& program)
{
    access.log_to([program](std::string_view line) { say(program + ": " + std::string(line)); });
    access.fetch_by(
        partyline::http::make_document_fetcher(std::move(executor), partyline::tls::client_context().connector()));
}

void reload_access(partyline::access::gate& access, const std::string& program)
{
    try {
        access.reload();
        say(program + ": the access file was read again");
    } catch (const std::exception& e) {
        say(program + ": the access file stays as it was: " + partyline::exception_text(e));
    }
}

void tell_exposure(const std::string& program, const boost::asio::ip::tcp::endpoint& at, const demands& asked)
{
    if (at.address().is_loopback() || (asked.authenticates && asked.tls_alone))
        return;
    say(program + ": --allow-any-address: " + at.address().to_string() + " is no loopback address, and " +
        (asked.authenticates ? "tokens travel in the clear unless something in front encrypts"
                             : "whoever connects may call unless something in front authenticates"));
}

} // namespace command_line
