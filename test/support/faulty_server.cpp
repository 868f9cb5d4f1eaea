// A server on standard input and output that goes wrong in its first starts, and is right from then on:
//
//     faulty_server FILE STARTS FAULT
//
// FILE counts the starts; FAULT says what goes wrong in the first STARTS of them.

#include <boost/json.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <signal.h>
#include <unistd.h>

namespace json = boost::json;

namespace {

std::uintmax_t count_start(const std::string& file)
{
    std::ofstream(file, std::ios::app) << '.';
    return std::filesystem::file_size(file);
}

[[noreturn]] void die()
{
    std::fprintf(stderr, "last words\n");
    std::_Exit(3);
}

[[noreturn]] void wait_for_ever()
{
    for (;;)
        ::pause();
}

class server {
public:
    server(std::uintmax_t start, std::string fault) : start_(start), fault_(std::move(fault)) {}

    int run()
    {
        if (fault_ == "stubborn")
            ::signal(SIGTERM, SIG_IGN);
        if (is("before reading"))
            die();
        if (fault_ == "leaves")
            return 0;
        for (std::string line; std::getline(std::cin, line);)
            take(json::parse(line).as_object()); // a batch is the end of it
        if (fault_ == "deaf" || fault_ == "stubborn")
            wait_for_ever();
        return 0;
    }

private:
    bool is(const char* fault) const { return fault_ == fault; }

    void take(const json::object& message)
    {
        const std::string method(message.at("method").as_string());
        heard_.emplace_back(method);
        go_wrong(method, message);
        if (method == "die")
            die();
        if (method == "exit")
            std::_Exit(heard_.size() > 1 && heard_[heard_.size() - 2] == "shutdown" ? 0 : 1);
        if (message.contains("id") && method != "wait")
            answer(message, result_of(method, message));
        if ((is("after greeting") && method == "initialize") || (is("between calls") && method == "echo"))
            die();
    }

    void go_wrong(const std::string& method, const json::object& message)
    {
        if (is("at first message") || (is("when greeted") && method == "initialized"))
            die();
        if (method == "initialize")
            go_wrong_when_greeted(message);
        if (method == "echo")
            go_wrong_when_called();
    }

    void go_wrong_when_greeted(const json::object& message)
    {
        if (is("silent"))
            wait_for_ever();
        if (!is("refuses"))
            return;
        say({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"error", {{"code", -1}, {"message", "not today"}}}});
        fault_ = "refused";
    }

    void go_wrong_when_called() const
    {
        if (is("at each request"))
            die();
        if (is("within a reply")) {
            write(R"({"jsonrpc":"2.0","id":)");
            die();
        }
        const int closed = is("closes output") ? STDOUT_FILENO : is("closes input") ? STDIN_FILENO : -1;
        if (closed == -1)
            return;
        ::close(closed);
        wait_for_ever();
    }

    json::value result_of(const std::string& method, const json::object& message) const
    {
        if (method == "starts")
            return start_;
        if (method == "heard")
            return heard_;
        if (method == "initialize")
            return json::object{{"capabilities", json::object{{"start", start_}}}};
        if (method == "shutdown")
            return nullptr;
        return message.contains("params") ? message.at("params") : json::value();
    }

    static void answer(const json::object& message, json::value result)
    {
        say({{"jsonrpc", "2.0"}, {"id", message.at("id")}, {"result", std::move(result)}});
    }

    static void say(const json::object& message) { write(json::serialize(message) + '\n'); }

    static void write(const std::string& text)
    {
        if (::write(STDOUT_FILENO, text.data(), text.size()) < 0)
            std::_Exit(4);
    }

    std::uintmax_t start_;
    std::string fault_;
    json::array heard_;
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    ::alarm(60); // in case that the test forgets it
    const std::uintmax_t start = count_start(argv[1]);
    const bool is_faulty = start <= static_cast<std::uintmax_t>(std::atoll(argv[2]));
    return server(start, is_faulty ? argv[3] : "none").run();
}
