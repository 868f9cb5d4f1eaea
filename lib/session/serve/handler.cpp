#include <partyline/session/handler.hpp>

#include <stdexcept>

namespace partyline {
namespace {

[[noreturn]] void throw_wrong_kind()
{
    throw std::logic_error("a handler of this kind is run in another way");
}

} // namespace

void result_writer::refuse(const error_object& error)
{
    throw rpc_error(error);
}

void handler::call(request_context&, json_view, result_writer&)
{
    throw_wrong_kind();
}

detail::task_root handler::start(request_context&, json_view)
{
    throw_wrong_kind();
}

std::string dispatcher::key(const method&, const message&, message_reader&) const
{
    return {};
}

} // namespace partyline
