#include <partyline/fleet/fleet_errc.hpp>

#include <string>

namespace partyline::fleet {
namespace {

class category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.fleet"; }

    std::string message(int code) const override
    {
        if (static_cast<fleet_errc>(code) == fleet_errc::not_opened)
            return "no worker has opened the session";
        return "unknown error " + std::to_string(code);
    }
};

} // namespace

const boost::system::error_category& fleet_category() noexcept
{
    static const category instance;
    return instance;
}

} // namespace partyline::fleet
