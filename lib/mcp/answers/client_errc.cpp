#include <partyline/mcp/client/client_errc.hpp>

#include <string>

namespace partyline::mcp {
namespace {

class category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.mcp.client"; }

    std::string message(int code) const override
    {
        switch (static_cast<client_errc>(code)) {
        case client_errc::not_started: return "the client has not been started";
        case client_errc::unsupported_version: return "client and server have no revision of the protocol in common";
        case client_errc::bad_result: return "the server's answer is not what the protocol has";
        case client_errc::unknown_result_type: return "the server's answer is of a kind that is not known here";
        case client_errc::no_handler: return "the server asks for something that it had been told is not there";
        case client_errc::too_many_rounds: return "the server asks again and again before it answers";
        case client_errc::endless_list: return "the server's list does not end";
        case client_errc::not_subscribed: return "the server does not honour this subscription";
        case client_errc::not_declared: return "the server has not declared the extension";
        }
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& client_category() noexcept
{
    static const category instance;
    return instance;
}

} // namespace partyline::mcp
