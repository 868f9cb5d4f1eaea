#pragma once

#include "transport/stdio/wire_descriptor.hpp"

#include <memory>
#include <optional>

namespace partyline {

/// Takes the process's standard input and output as a wire, and guards it: meanwhile descriptor 0 is /dev/null and
/// descriptor 1 is stderr, so that no stray print and no child process corrupts or steals the protocol.
/// Process-wide, so there is one at a time.
class stdio_wire {
public:
    /// With `guard` unset, descriptors 0 and 1 stay where they are. Throws `std::logic_error` while there is another
    /// one, and `system_error`.
    explicit stdio_wire(bool guard);
    ~stdio_wire();
    stdio_wire(const stdio_wire&) = delete;
    stdio_wire& operator=(const stdio_wire&) = delete;

    const wire_descriptor& input() const noexcept { return *input_; }
    const wire_descriptor& output() const noexcept { return *output_; }

    /// Descriptor 1 was closed from the start: there is nobody to write to.
    bool is_output_missing() const noexcept { return is_output_missing_; }

    /// Writes out what the C and C++ streams hold, to where stray prints go, and puts everything back.
    void restore() noexcept;

    /// The part of `restore` that matters to other processes; for when the process is about to end anyhow.
    void restore_flags() const noexcept;

private:
    class only_one { // of the process
    public:
        only_one();
        ~only_one();
        only_one(const only_one&) = delete;
        only_one& operator=(const only_one&) = delete;
    };

    std::optional<only_one> only_one_; // until everything is put back
    bool is_guarded_;
    bool is_output_missing_ = false;
    bool is_restored_ = false;
    std::optional<wire_descriptor> input_;
    std::optional<wire_descriptor> output_;
};

} // namespace partyline
