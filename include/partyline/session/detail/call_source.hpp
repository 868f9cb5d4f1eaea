#pragma once

#include <partyline/config.hpp>
#include <partyline/session/call_options.hpp>
#include <partyline/session/call_params.hpp>
#include <partyline/session/detail/operation_source.hpp>
#include <partyline/session/detail/typed_completion.hpp>
#include <partyline/session/operation.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace partyline {

class caller;

namespace detail {

/// The parts of a call until it is started.
struct PARTYLINE_EXPORT unsent_call {
    caller& by;
    std::string method;
    call_params params;
    call_options options;

    void send(code_handler<json_text> done);
};

/// A call whose result is read as a `T`.
template <class T>
class call_source final : public operation_source<T> {
public:
    explicit call_source(unsent_call call) noexcept : call_(std::move(call)) {}

private:
    void start(code_handler<T> done) override
    {
        if constexpr (std::is_same_v<T, json_text>)
            call_.send(std::move(done));
        else
            call_.send(converting_handler<reply_as<T>, code_handler<T>>{std::move(done)});
    }
    void start_throwing(exception_handler<T> done) override
    {
        using throwing = converting_handler<result_or_exception<T>, exception_handler<T>>;
        if constexpr (std::is_same_v<T, json_text>)
            call_.send(throwing{std::move(done)});
        else
            call_.send(converting_handler<reply_as<T>, throwing>{throwing{std::move(done)}});
    }

    unsent_call call_;
};

} // namespace detail
} // namespace partyline
