#include "transport/child/child_descriptors.hpp"

#include "transport/platform/descriptors.hpp"

#include <boost/system/system_error.hpp>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace partyline {
namespace {

int not_failed(int result)
{
    if (result < 0)
        throw boost::system::system_error(errno, boost::system::system_category());
    return result;
}

void set_non_blocking(const owned_descriptor& ours)
{
    not_failed(::fcntl(ours.get(), F_SETFL, O_NONBLOCK));
}

} // namespace

child_descriptors::child_descriptors(const child_options& options, spawn_plan& plan)
{
    options.channel == child_channel::pipes ? make_pipes(plan) : make_socket_pair(plan);
    if (options.errors == child_stderr::capture)
        capture_errors(plan);
    else if (options.errors == child_stderr::pass_on && ::fcntl(STDERR_FILENO, F_GETFD) >= 0)
        plan.place(STDERR_FILENO, STDERR_FILENO);
    else
        plan.drop(STDERR_FILENO);
}

void child_descriptors::make_pipes(spawn_plan& plan)
{
    ends to = make_pipe();
    ends from = make_pipe();
    keep(std::move(to.reading), STDIN_FILENO, plan);
    keep(std::move(from.writing), STDOUT_FILENO, plan);
    input = std::move(to.writing);
    output = std::move(from.reading);
    set_non_blocking(input);
    set_non_blocking(output);
}

void child_descriptors::make_socket_pair(spawn_plan& plan)
{
    int pair[2];
    not_failed(open_socket_pair(pair));
    owned_descriptor first(pair[0]);
    owned_descriptor second(pair[1]);
    input = above_standard(first.release());
    owned_descriptor theirs = above_standard(second.release());
    output = owned_descriptor(not_failed(::fcntl(input.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
    set_non_blocking(input);
    plan.place(theirs.get(), STDIN_FILENO);
    keep(std::move(theirs), STDOUT_FILENO, plan);
}

void child_descriptors::capture_errors(spawn_plan& plan)
{
    ends from = make_pipe();
    keep(std::move(from.writing), STDERR_FILENO, plan);
    errors = std::move(from.reading);
    set_non_blocking(errors);
}

child_descriptors::ends child_descriptors::make_pipe()
{
    int pair[2];
    not_failed(open_pipe(pair));
    owned_descriptor second(pair[1]);
    owned_descriptor reading = above_standard(pair[0]);
    return {std::move(reading), above_standard(second.release())};
}

owned_descriptor child_descriptors::above_standard(int descriptor)
{
    owned_descriptor low(not_failed(descriptor));
    if (descriptor > STDERR_FILENO)
        return low;
    return owned_descriptor(not_failed(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
}

void child_descriptors::keep(owned_descriptor theirs, int number, spawn_plan& plan)
{
    plan.place(theirs.get(), number);
    theirs_.push_back(std::move(theirs));
}

} // namespace partyline
