// What a session costs before anything is said, as those pay who have one for each connection or request.

#include "session/conversation.hpp"

#include <partyline/rpc/method_table.hpp>

#include <boost/asio/io_context.hpp>

#include <memory>

#include <benchmark/benchmark.h>

namespace {

using namespace partyline;

class no_driver final : public conversation::host {
public:
    void flush() override {}
    void resume_reading() override {}
    void on_end(error_code) noexcept override {}
};

// From nothing to an outlet that could be handed messages, and gone again.
void new_conversation(benchmark::State& state)
{
    boost::asio::io_context context;
    const auto methods = std::make_shared<const method_table>();
    no_driver driver;
    for (auto _ : state) {
        const session_options options;
        const auto made = std::make_shared<conversation>(context.get_executor(), methods, options,
                                                         make_framing(framing_kind::lines, options.bounds));
        made->attach(driver);
        if (made->context().end.has_ended())
            state.SkipWithError("it has ended");
        made->detach();
    }
}

class no_user final : public outlet::user {
public:
    void flush() override {}
};

void new_outlet(benchmark::State& state)
{
    boost::asio::io_context context;
    const session_options options;
    const auto made = std::make_shared<conversation>(context.get_executor(), std::make_shared<const method_table>(),
                                                     options, make_framing(framing_kind::lines, options.bounds));
    no_driver driver;
    made->attach(driver);
    no_user user;
    line_framing frames(options.bounds);
    for (auto _ : state) {
        outlet& one = made->open_outlet(frames, user);
        if (!one.is_idle())
            state.SkipWithError("it is not idle");
        made->release(one);
        made->drive();
    }
    made->detach();
}

} // namespace

BENCHMARK(new_conversation);
BENCHMARK(new_outlet);
