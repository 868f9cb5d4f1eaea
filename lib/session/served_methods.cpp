#include <partyline/session/served_methods.hpp>

#include <stdexcept>

namespace partyline {

std::shared_ptr<const dispatcher> served_methods::for_session(const boost::asio::any_io_executor& executor,
                                                              session_options& options) const
{
    if (shared_)
        return shared_;
    if (!make_)
        throw std::logic_error("these served methods were moved from");
    std::shared_ptr<const dispatcher> made = make_(executor, options);
    if (!made)
        throw std::invalid_argument(
            "a session needs methods, and the function that makes them returned a null pointer");
    return made;
}

std::shared_ptr<const dispatcher> served_methods::not_null(std::shared_ptr<const dispatcher> methods)
{
    if (!methods)
        throw std::invalid_argument("served methods need a table, and got a null pointer");
    return methods;
}

void served_methods::refuse_empty()
{
    throw std::invalid_argument("served methods need a function that makes them, and got an empty one");
}

} // namespace partyline
