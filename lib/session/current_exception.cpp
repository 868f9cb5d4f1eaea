#include "session/current_exception.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <boost/core/demangle.hpp>

#include <exception>
#include <typeinfo>

#include <cxxabi.h>

namespace partyline {

std::string current_exception_name()
{
    const std::type_info* const type = abi::__cxa_current_exception_type();
    return type ? boost::core::demangle(type->name()) : std::string("unknown");
}

std::string current_exception_text()
{
    try {
        throw;
    } catch (const std::exception& e) {
        return current_exception_name() + ": " + exception_text(e);
    } catch (...) {
        return current_exception_name();
    }
}

} // namespace partyline
