#include "command_line/listening_program.hpp"

#include "command_line/access_options.hpp"
#include "command_line/line_log.hpp"

#include <partyline/protocol/exception_text.hpp>

#include <exception>
#include <utility>

namespace command_line {
namespace {

// What is wrong with them is told, and those that were read before stay.
void read_again(partyline::tls::server_context& certificates, const std::string& program)
{
    try {
        certificates.reload();
        say(program + ": the certificates were read again");
    } catch (const std::exception& e) {
        say(program + ": the certificates stay as they are: " + partyline::exception_text(e));
    }
}

} // namespace

listening_program::listening_program(boost::asio::io_context& context, std::string name, service_manager& told,
                                     duties what)
    : name_(std::move(name)), told_(told), duties_(std::move(what)), signals_(context, at_signals())
{
    say_by_thread();
}

void listening_program::on_listening()
{
    told_.tell_ready(signals_);
}

end_signals::duties listening_program::at_signals()
{
    end_signals::duties result;
    result.ask = [this](int) { end(); };
    result.hang_up = [this] { reload(); };
    if (duties_.on_stop)
        result.on_stop = [this](int) { duties_.on_stop(); };
    return result;
}

void listening_program::end()
{
    told_.tell_stopping();
    duties_.end();
}

// Each stays as it was where it can't be read; the others are read all the same.
void listening_program::reload()
{
    told_.tell_reloading();
    reopen_line_logs();
    if (duties_.certificates)
        read_again(*duties_.certificates, name_);
    if (duties_.access)
        reload_access(*duties_.access, name_);
    if (duties_.reload)
        duties_.reload();
    told_.tell_reloaded();
}

} // namespace command_line
