#include <partyline/protocol/errc.hpp>

#include <string>

namespace partyline {
namespace {

class category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline"; }

    std::string message(int code) const override
    {
        switch (static_cast<errc>(code)) {
        case errc::already_started: return "the session runs already or has run";
        case errc::session_closed: return "the session has ended";
        case errc::peer_gone: return "the reader of our output is gone";
        case errc::drain_timeout: return "handlers were cancelled at the end of the drain timeout";
        case errc::overloaded: return "there was no room for a notification within the limits";
        case errc::write_stalled: return "the peer has stopped reading";
        }
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& partyline_category() noexcept
{
    static const category instance;
    return instance;
}

} // namespace partyline
