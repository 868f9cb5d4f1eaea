// A server of the Model Context Protocol: tools, a resource for each note, and a prompt. It serves clients of all
// revisions.
//
//   partyline-call --list --profile mcp -- example-mcp_server
//   partyline-call add_note name=milk text='Two bottles' --profile mcp -- example-mcp_server

#include <partyline/mcp/mcp.hpp>

#include <boost/describe.hpp>

#include <map>
#include <string>
#include <vector>

namespace mcp = partyline::mcp;
using partyline::note;

struct new_note {
    std::string name;
    std::string text;

    static constexpr auto notes() // what a model is told of the arguments, and what they must be
    {
        using me = new_note;
        return partyline::notes(note(&me::name, "What it is called", partyline::length(1, 40)),
                                note(&me::text, "What it says", partyline::length(1, 1000)));
    }
};
BOOST_DESCRIBE_STRUCT(new_note, (), (name, text))

struct note_name {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(note_name, (), (name))

struct confirmation {
    bool yes = false;
};
BOOST_DESCRIBE_STRUCT(confirmation, (), (yes))

class notebook {
public:
    std::string add(new_note what)
    {
        const bool is_new = notes_.insert_or_assign(what.name, what.text).second;
        return is_new ? "Added." : "Replaced.";
    }

    // The names are a structured result, with a schema that clients can rely on.
    std::vector<std::string> find(const std::string& text) const
    {
        std::vector<std::string> found;
        for (const auto& [name, said] : notes_)
            if (said.find(text) != std::string::npos)
                found.push_back(name);
        return found;
    }

    // Asks the user. What must happen once stands behind the last question: see mcp::context.
    partyline::task<std::string> remove(mcp::context& context, note_name which)
    {
        if (!notes_.contains(which.name))
            throw mcp::tool_error("There is no note of that name."); // told to the model, which may do better
        const auto sure = co_await context.elicit<confirmation>("sure", "Remove the note " + which.name + "?");
        if (!sure || !sure->yes)
            co_return "It was kept.";
        notes_.erase(which.name);
        co_return "Removed.";
    }

    std::string read(note_name which) const
    {
        const auto at = notes_.find(which.name);
        return at != notes_.end() ? at->second : throw mcp::resource_not_found();
    }

private:
    std::map<std::string, std::string> notes_{{"bread", "A loaf"}};
};

int main()
{
    notebook mine;
    mcp::server server("notebook", "1.0.0");
    server.add_tool("add_note", "Adds a note, or replaces one.", [&](new_note what) { return mine.add(what); });
    const auto find = [&](const std::string& text) { return mine.find(text); };
    server.add_tool("find_notes", "Finds the notes that say something.", find, {{"text", "What to look for"}},
                    {.read_only = true});
    const auto remove = [&](mcp::context& context, note_name which) { return mine.remove(context, which); };
    server.add_tool("remove_note", "Removes a note, if the user agrees.", remove, {.destructive = true});
    server.add_resource_template("notes://{name}", "note", "A note", [&](note_name which) { return mine.read(which); });
    server.add_prompt("tidy", "Has the model tidy up.", [] { return "Remove the notes that are done with."; });
    return server.run_stdio();
}
