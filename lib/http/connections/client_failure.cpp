#include "http/connections/client_failure.hpp"

#include "session/current_exception.hpp"

#include <partyline/protocol/exception_text.hpp>
#include <partyline/protocol/printable.hpp>

#include <utility>

namespace partyline::http {

std::string words_of(std::exception_ptr thrown)
{
    constexpr std::size_t longest = 1000;
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const std::exception& e) {
        return printable(exception_text(e), longest);
    } catch (...) {
        return current_exception_text();
    }
}

} // namespace partyline::http
