#include <partyline/session/detail/operation_source.hpp>

#include <exception>
#include <stdexcept>

namespace partyline::detail {

std::exception_ptr empty_operation()
{
    return std::make_exception_ptr(std::logic_error("an operation that was moved from, or started before, is started"));
}

} // namespace partyline::detail
