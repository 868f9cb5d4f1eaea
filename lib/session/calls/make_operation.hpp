#pragma once

#include <partyline/session/detail/operation_source.hpp>
#include <partyline/session/detail/typed_completion.hpp>
#include <partyline/session/operation.hpp>

#include <memory>
#include <utility>

namespace partyline {

/// The operation that this function starts, by a `code_handler`.
template <class T, class Start>
operation<T> make_operation(Start start)
{
    class source final : public detail::operation_source<T> {
    public:
        explicit source(Start start) : start_(std::move(start)) {}

    private:
        using throwing = detail::converting_handler<detail::result_or_exception<T>, detail::exception_handler<T>>;

        void start(detail::code_handler<T> done) override { start_(std::move(done)); }
        void start_throwing(detail::exception_handler<T> done) override { start_(throwing{std::move(done)}); }

        Start start_;
    };
    return detail::operation_access::make<T>(std::make_unique<source>(std::move(start)));
}

} // namespace partyline
