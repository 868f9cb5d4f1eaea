#pragma once

namespace call {

/// What all that happened comes to for the shell.
class exit_status {
public:
    enum code { all_answered = 0, error_reply = 1, wrong_usage = 2, no_reply = 3 };

    /// Of several troubles the worst counts.
    void note(code what) noexcept
    {
        if (what > worst_)
            worst_ = what;
    }
    /// A signal is told whatever else there was.
    void note_signal(int number) noexcept { signal_ = number; }

    int exit_code() const noexcept { return signal_ != 0 ? 128 + signal_ : worst_; }

private:
    code worst_ = all_answered;
    int signal_ = 0;
};

} // namespace call
