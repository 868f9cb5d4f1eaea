// A session over streams of one's own: one that is two pipes, and one that counts what passes through another. (Only to
// show a stream: run_stdio does more for standard input and output, and takes files, too.)
//
//   echo '{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}' | example-own_stream | cat

#include <partyline/partyline.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/writable_pipe.hpp>

#include <cstddef>
#include <iostream>
#include <memory>

#include <unistd.h> // STDIN_FILENO

namespace asio = boost::asio;

// What a session needs of a stream: an executor, to read some, to write some, and to close it. Each operation takes a
// completion token, which is handed on. `close_send`, where there is one, tells the peer that nothing more will come.
struct pipe_pair {
    asio::readable_pipe input;
    asio::writable_pipe output;

    using executor_type = asio::any_io_executor;
    executor_type get_executor() { return input.get_executor(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& target, Token&& token)
    {
        return input.async_read_some(target, std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& source, Token&& token)
    {
        return output.async_write_some(source, std::forward<Token>(token));
    }

    void close_send() { output.close(); }
    void close()
    {
        input.close();
        output.close();
    }
};

struct byte_count {
    std::size_t read = 0;
    std::size_t written = 0;
};

template <class Next>
struct counting_stream {
    Next next;
    std::shared_ptr<byte_count> count; // shared, for the session owns the stream

    using executor_type = typename Next::executor_type;
    executor_type get_executor() { return next.get_executor(); }

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& target, Token&& token)
    {
        return next.async_read_some(target, add_to(count->read))(std::forward<Token>(token));
    }

    template <class Buffers, class Token>
    auto async_write_some(const Buffers& source, Token&& token)
    {
        return next.async_write_some(source, add_to(count->written))(std::forward<Token>(token));
    }

    void close_send() { next.close_send(); }
    void close() { next.close(); }

    // Passes what comes of an operation on to whoever is told of it.
    auto add_to(std::size_t& sum)
    {
        return asio::deferred([keep = count, &sum](partyline::error_code failed, std::size_t bytes) {
            sum += bytes;
            return asio::deferred.values(failed, bytes);
        });
    }
};

int main()
{
    asio::io_context context(1);
    const auto count = std::make_shared<byte_count>();
    pipe_pair pipes{asio::readable_pipe(context, STDIN_FILENO), asio::writable_pipe(context, STDOUT_FILENO)};
    partyline::method_table methods;
    methods.add("echo", [](boost::json::value params) { return params; });
    partyline::session session(counting_stream<pipe_pair>{std::move(pipes), count}, std::move(methods));
    session.async_run([](partyline::error_code) {});
    context.run();
    std::cerr << count->read << " bytes read, " << count->written << " written\n";
}
