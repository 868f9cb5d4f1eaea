#pragma once

#include <partyline/http/client_errc.hpp>
#include <partyline/protocol/printable.hpp>

#include <boost/system/system_error.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace partyline::http {

/// A failure with client_errc::unauthorized.
class login_refusal : public boost::system::system_error {
public:
    login_refusal(const std::string& why, std::string error)
        : system_error(make_error_code(client_errc::unauthorized), why), error_(std::move(error))
    {
    }
    /// The reason of the authorization server by the names of OAuth, such as "invalid_scope"; empty: it has none.
    const std::string& error() const noexcept { return error_; }

private:
    std::string error_;
};

/// Throws it, with words for the user.
[[noreturn]] inline void refuse_login(const std::string& why, std::string error = {})
{
    throw login_refusal(why, std::move(error));
}

/// Another server's text, quoted for the user.
inline std::string in_quotes(std::string_view text)
{
    constexpr std::size_t longest = 300;
    return "'" + printable(text, longest) + "'";
}

} // namespace partyline::http
