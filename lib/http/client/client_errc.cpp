#include <partyline/http/client_errc.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/error_condition.hpp>

#include <string>

namespace partyline::http {
namespace {

class category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.http.client"; }

    std::string message(int code) const override
    {
        if (static_cast<client_errc>(code) == client_errc::unauthorized)
            return "the server has not authorized the request";
        if (static_cast<client_errc>(code) == client_errc::session_lost)
            return "the server has lost the session";
        return "unknown error " + std::to_string(code);
    }

    boost::system::error_condition default_error_condition(int code) const noexcept override
    {
        if (static_cast<client_errc>(code) == client_errc::unauthorized)
            return boost::system::errc::make_error_condition(boost::system::errc::permission_denied);
        if (static_cast<client_errc>(code) == client_errc::session_lost)
            return boost::system::errc::make_error_condition(boost::system::errc::connection_reset);
        return {code, *this};
    }
};

} // namespace

const boost::system::error_category& client_category() noexcept
{
    static const category instance;
    return instance;
}

} // namespace partyline::http
