// Typed methods: structs whose notes say what fits, optional params, options of a method, and errors.
//
//   partyline-call open title='It squeaks' priority=urgent -- example-typed
//   partyline-call --list -- example-typed

#include <partyline/partyline.hpp>

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/describe.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

using partyline::note, partyline::rpc_error;

enum class urgency { low, normal, urgent };
BOOST_DESCRIBE_ENUM(urgency, low, normal, urgent)

struct new_ticket {
    std::string title;
    urgency priority = urgency::normal;
    std::optional<std::string> owner; // may be left out, and null

    static constexpr auto notes()
    {
        using me = new_ticket;
        return partyline::notes(note(&me::title, "What is wrong", partyline::length(1, 80)),
                                note(&me::priority, "How soon", partyline::defaulted)); // an initialiser is not enough
    }
};
BOOST_DESCRIBE_STRUCT(new_ticket, (), (title, priority, owner))

struct ticket : new_ticket {
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(ticket, (new_ticket), (number))

class help_desk {
public:
    ticket open(new_ticket what)
    {
        ticket made{std::move(what), ++last_};
        return tickets_[made.number] = std::move(made);
    }

    std::vector<ticket> find(std::optional<std::string> owner, std::optional<std::size_t> limit) const
    {
        std::vector<ticket> found;
        for (const auto& [number, one] : tickets_)
            if ((!owner || one.owner == owner) && found.size() < limit.value_or(100))
                found.push_back(one);
        return found;
    }

    // An error is thrown, with a code of one's own and with data for programs ...
    void close(int number)
    {
        if (tickets_.erase(number) == 0)
            throw rpc_error(-1, "No such ticket", boost::json::object{{"number", number}});
    }

    // ... or it is returned.
    boost::system::result<std::string, rpc_error> owner_of(int number) const
    {
        const auto at = tickets_.find(number);
        if (at == tickets_.end() || !at->second.owner)
            return rpc_error(-2, "Nobody's ticket");
        return *at->second.owner;
    }

private:
    std::map<int, ticket> tickets_;
    int last_ = 0;
};

// Takes longer than its deadline.
partyline::task<void> print(partyline::request_context& context)
{
    boost::asio::steady_timer paper(context.get_executor(), std::chrono::hours(1));
    co_await paper.async_wait(boost::asio::deferred);
}

int main()
{
    help_desk desk;
    partyline::method_table methods;
    methods.add("open", &help_desk::open, &desk, {.description = "Opens a ticket"});
    methods.add("import", &help_desk::open, &desk, {.binding = {.unknown = partyline::unknown_members::ignored}});
    methods.add("find", &help_desk::find, &desk, {"owner", "limit"}, {.description = "Finds tickets"});
    methods.add("close", &help_desk::close, &desk, {"number"});
    methods.add("owner_of", &help_desk::owner_of, &desk, {"number"});
    methods.add("print", print, {.max_concurrent = 1, .deadline = std::chrono::milliseconds(50)});
    methods.add_discovery({"help-desk", "1.0"});
    return partyline::run_stdio(std::move(methods));
}
