#include "line_reader.hpp"

#include "descriptors.hpp"
#include "readiness.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>

namespace partyline::test {

line_reader::line_reader(unique_fd fd) : fd_(std::move(fd))
{
    set_nonblocking(fd_.get());
}

std::optional<std::string> line_reader::read_line()
{
    std::size_t end = pending_.find('\n');
    while (end == std::string::npos && read_some())
        end = pending_.find('\n');
    if (pending_.empty())
        return std::nullopt;
    std::string line = pending_.substr(0, end);
    pending_.erase(0, end == std::string::npos ? end : end + 1);
    return line;
}

std::string line_reader::read_rest()
{
    while (read_some()) {
    }
    return std::exchange(pending_, {});
}

void line_reader::read_lines(const line_handler& on_line, const std::function<bool()>& done)
{
    hand_out(on_line);
    while (!done() && read_some())
        hand_out(on_line);
}

void line_reader::hand_out(const line_handler& on_line)
{
    std::size_t start = 0;
    for (std::size_t end; (end = pending_.find('\n', start)) != std::string::npos; start = end + 1)
        on_line(std::string_view(pending_).substr(start, end - start));
    pending_.erase(0, start);
}

void line_reader::write_while_reading(int to, std::string_view text, const std::function<void()>& on_read)
{
    for (;;) {
        text.remove_prefix(write_what_fits(to, text));
        if (text.empty())
            return;
        std::array<pollfd, 2> entries{pollfd{to, POLLOUT, 0}, pollfd{fd(), POLLIN, 0}};
        if (::poll(entries.data(), entries.size(), static_cast<int>(patience.count())) == 0)
            throw std::runtime_error("the child neither reads nor writes");
        if (entries[1].revents && !read_some())
            throw std::runtime_error("the child's output ended before its input; so far: " + pending_);
        on_read();
    }
}

void line_reader::wait_readable() const
{
    if (!is_ready(fd_.get(), POLLIN, patience))
        throw std::runtime_error("nothing to read within the time; pending: " + pending_);
}

bool line_reader::read_some()
{
    wait_readable();
    std::array<char, 65536> chunk;
    const ssize_t size = ::read(fd_.get(), chunk.data(), chunk.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (size < 0 && (errno == EIO || errno == ECONNRESET)) // the end, as a terminal and a socket tell it
        return false;
    checked(static_cast<int>(size), "read");
    pending_.append(chunk.data(), static_cast<std::size_t>(size));
    return size > 0;
}

std::size_t write_what_fits(int fd, std::string_view text)
{
    set_nonblocking(fd);
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t size = ::write(fd, text.data() + done, text.size() - done);
        if (size < 0 && errno == EAGAIN)
            break;
        done += static_cast<std::size_t>(checked(static_cast<int>(size), "write"));
    }
    return done;
}

void write_all(int fd, std::string_view text)
{
    for (;;) {
        text.remove_prefix(write_what_fits(fd, text));
        if (text.empty())
            return;
        if (!is_ready(fd, POLLOUT, patience))
            throw std::runtime_error("the child does not read");
    }
}

std::string exchange(unique_fd to, std::string_view text, line_reader& from)
{
    from.write_while_reading(to.get(), text, [] {});
    to.reset();
    return from.read_rest();
}

void exchange(int to, std::string_view text, line_reader& from, const line_handler& on_line)
{
    from.write_while_reading(to, text, [&] { from.hand_out(on_line); });
}

} // namespace partyline::test
