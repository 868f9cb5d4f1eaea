#include "talking_client.hpp"

#include "heard_responses.hpp"
#include "support/socket_client.hpp"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace partyline::test {

talking_client::talking_client(std::uint16_t port, const http_script& played) : played_(played)
{
    std::signal(SIGPIPE, SIG_IGN);
    for (std::size_t i = 0; i < played.responses.size(); ++i) {
        connections_.emplace_back();
        connections_.back().socket = connect_tcp(port);
        ::fcntl(connections_.back().socket.get(), F_SETFL, O_NONBLOCK);
    }
}

// Reset, so that thousands of runs do not use up the ports.
talking_client::~talking_client()
{
    const linger at_once{1, 0};
    for (const connection& one : connections_)
        ::setsockopt(one.socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

bool talking_client::advance()
{
    const unharmed own;
    bool has_done = false;
    for (connection& one : connections_)
        has_done = hear(one) || say(one) || has_done;
    if (has_done || next_ == played_.pieces.size())
        return has_done;
    const http_piece& piece = played_.pieces[next_];
    if (!is_time_for(piece))
        return false;
    ++next_;
    std::string text = piece.text;
    constexpr std::string_view mark = "SESSION";
    if (const std::size_t at = text.find(mark); at != text.npos)
        text.replace(at, mark.size(), session());
    connections_[piece.connection].unsent += text;
    return true;
}

bool talking_client::hear(connection& from)
{
    char room[16384];
    const ssize_t count = from.was_closed ? -1 : ::read(from.socket.get(), room, sizeof room);
    if (count > 0)
        from.heard.append(room, static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && !from.was_closed && errno != EAGAIN)) {
        from.was_closed = true;
        return true;
    }
    return count > 0;
}

bool talking_client::say(connection& to)
{
    if (to.unsent.empty())
        return false;
    const ssize_t count = ::write(to.socket.get(), to.unsent.data(), to.unsent.size());
    if (count < 0 && errno == EAGAIN)
        return false;
    to.unsent.erase(0, count < 0 ? to.unsent.size() : static_cast<std::size_t>(count)); // nobody reads it any more
    return true;
}

bool talking_client::is_over() const
{
    const unharmed own;
    if (next_ != played_.pieces.size())
        return false;
    for (std::size_t i = 0; i < connections_.size(); ++i) {
        if (!connections_[i].was_closed && !has_heard_all(played_, i, connections_[i].heard))
            return false;
    }
    return true;
}

bool talking_client::is_time_for(const http_piece& piece) const
{
    std::size_t answers = 0;
    for (const connection& one : connections_) {
        if (one.was_closed)
            return true;
        answers += responses_in(one.heard).size();
    }
    return answers >= piece.after;
}

std::string talking_client::session() const
{
    std::string found = "none";
    for (const connection& one : connections_) {
        for (const heard_response& response : responses_in(one.heard)) {
            if (!response.session.empty())
                found = response.session;
        }
    }
    return found;
}

void talking_client::tell(std::vector<std::string>& heard, std::vector<bool>& was_closed) const
{
    const unharmed own;
    for (const connection& one : connections_) {
        heard.push_back(one.heard);
        was_closed.push_back(one.was_closed);
    }
}

} // namespace partyline::test
