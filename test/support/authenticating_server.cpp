// A server on standard input and output that authenticates the user who runs it: authenticating_server [stranger]
// Its methods change what that user may call.

#include <partyline/partyline.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using partyline::access_grant;
using partyline::authentication;
using partyline::authentication_outcome;

struct all_but_restrict final : partyline::access_view {
    partyline::access_verdict judge(std::string_view method, std::string_view) const noexcept override
    {
        return {method == "restrict" ? partyline::access_answer::hidden : partyline::access_answer::allowed};
    }
};

// Knows one user, and makes new grants of it.
class one_user final : public partyline::access_control {
public:
    explicit one_user(::uid_t user) : user_(user)
    {
        partyline::peer_identity known;
        known.principal = "the owner";
        known.source = "user";
        all_->peer = std::make_shared<const partyline::peer_identity>(known);
        restricted_->peer = all_->peer;
        restricted_->view = std::make_shared<const all_but_restrict>();
    }

    authentication authenticate(const partyline::peer_identity& from, std::optional<std::string_view>,
                                std::chrono::system_clock::time_point) noexcept override
    {
        const bool is_known = from.local && from.local->user == user_ && from.local->process == ::getpid();
        return is_known ? now() : authentication{authentication_outcome::missing, {}};
    }
    authentication renew(const std::shared_ptr<const access_grant>&,
                         std::chrono::system_clock::time_point) noexcept override
    {
        return now();
    }

    std::atomic<bool> is_restricted = false;
    std::atomic<bool> has_ended = false;

private:
    authentication now() const noexcept
    {
        if (has_ended)
            return {authentication_outcome::expired, {}};
        return {authentication_outcome::admitted, is_restricted ? restricted_ : all_};
    }

    const ::uid_t user_;
    const std::shared_ptr<access_grant> all_ = std::make_shared<access_grant>();
    const std::shared_ptr<access_grant> restricted_ = std::make_shared<access_grant>();
};

} // namespace

int main(int argc, char**)
{
    const auto known = std::make_shared<one_user>(argc > 1 ? ::getuid() + 1 : ::getuid());
    partyline::method_table methods;
    methods.add("who", [](partyline::request_context& context) { return context.peer().principal; });
    methods.add("restrict", [known] { known->is_restricted = true; });
    methods.add("end", [known] { known->has_ended = true; });
    partyline::stdio_options how;
    how.access = known;
    try {
        return partyline::run_stdio(std::move(methods), std::move(how));
    } catch (const std::exception& e) {
        std::cerr << e.what() << std::endl;
        return partyline::exit_codes::usage;
    }
}
