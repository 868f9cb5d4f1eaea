#pragma once

#include "command_line/end_signals.hpp"
#include "command_line/service_manager.hpp"

#include <partyline/access/gate.hpp>
#include <partyline/tls/server_context.hpp>

#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace command_line {

/// What all programs that listen owe to those who run them: SIGTERM and SIGINT end them in order, SIGHUP has them open
/// their log files and read certificates and access file again, and never ends them, and a service manager is told
/// when they are ready, reload and stop.
/// Thread safety: none.
class listening_program {
public:
    struct duties {
        /// Asks for an end in order. Called by the context, which must run until then on one thread.
        std::function<void()> end;
        /// Called by the context before it is stopped at once. May be empty.
        std::function<void()> on_stop = {};
        /// What is read again, where there is any.
        std::optional<partyline::tls::server_context> certificates = {};
        std::shared_ptr<partyline::access::gate> access = {};
        /// Reads what else there is. May be empty.
        std::function<void()> reload = {};
    };

    /// `name` begins the lines that it says. `told` is made before there are other threads, and lives longer.
    listening_program(boost::asio::io_context& context, std::string name, service_manager& told, duties what);

    /// All addresses are listened on.
    void on_listening();
    /// For the first signal that has ended it.
    int exit_code() const noexcept { return 128 + signals_.first(); }

private:
    end_signals::duties at_signals();
    void end();
    void reload();

    std::string name_;
    service_manager& told_;
    duties duties_;
    end_signals signals_;
};

} // namespace command_line
