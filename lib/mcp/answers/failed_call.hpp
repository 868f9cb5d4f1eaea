#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/errc.hpp>
#include <partyline/protocol/exception_text.hpp>
#include <partyline/session/call_result.hpp>

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace partyline::mcp {

/// Why an operation of a client has no result, where it is no error that the server has answered.
class PARTYLINE_EXPORT failed_call : public boost::system::system_error {
public:
    explicit failed_call(error_code code) : system_error(code) {}
    failed_call(error_code code, std::string details)
        : system_error(details.empty() ? system_error(code) : system_error(code, details)), details_(std::move(details))
    {
    }

    const std::string& details() const noexcept { return details_; }

private:
    std::string details_;
};

/// What an exception that an operation has ended by is to whoever wants no exceptions.
template <class T>
call_result<T> result_of(const std::exception_ptr& thrown)
{
    using failure = typename call_result<T>::failure;
    try {
        std::rethrow_exception(thrown);
    } catch (const failed_call& failed) {
        return failure{failed.code(), failed.details()};
    } catch (const boost::system::system_error& failed) {
        return failure{failed.code(), exception_details(failed)};
    } catch (const rpc_error& answered) {
        return answered.error();
    } catch (const std::exception& failed) {
        return failure{errc::session_failed, failed.what()};
    } catch (...) {
        return failure{errc::session_failed, "a handler threw something that is no std::exception"};
    }
}

} // namespace partyline::mcp
