#include <partyline/transport/child_exit.hpp>

#include "transport/signal_words.hpp"

namespace partyline {
namespace {

class exit_category final : public boost::system::error_category {
public:
    const char* name() const noexcept override { return "partyline.child_exit"; }

    std::string message(int value) const override
    {
        if (value < 0)
            return "the server has ended, nobody knows how";
        if (value < first_signal)
            return "the server exited with status " + std::to_string(value);
        return "the server was ended by " + signal_words(value - first_signal);
    }

    // Whoever waits for an answer has none, also when the server found that all was well.
    bool failed(int) const noexcept override { return true; }

private:
    static constexpr int first_signal = 256;
};

} // namespace

const boost::system::error_category& child_exit_category() noexcept
{
    static const exit_category instance;
    return instance;
}

std::optional<int> child_exit::status() const noexcept
{
    if (value_ < 0 || value_ >= first_signal)
        return std::nullopt;
    return value_;
}

std::optional<int> child_exit::signal() const noexcept
{
    if (value_ < first_signal)
        return std::nullopt;
    return value_ - first_signal;
}

error_code child_exit::code() const noexcept
{
    return {value_, child_exit_category()};
}

} // namespace partyline
