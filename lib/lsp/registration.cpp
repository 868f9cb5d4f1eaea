#include <partyline/lsp/registration.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace json = boost::json;

namespace partyline::lsp {
namespace {

json::value registration_params(const std::vector<registration>& added)
{
    json::array all;
    for (const registration& one : added) {
        json::object entry{{"id", one.id}, {"method", one.method}};
        if (!one.options.is_null())
            entry["registerOptions"] = one.options;
        all.push_back(std::move(entry));
    }
    return json::object{{"registrations", std::move(all)}};
}

json::value unregistration_params(const std::vector<registration>& removed)
{
    json::array all;
    for (const registration& one : removed)
        all.push_back(json::object{{"id", one.id}, {"method", one.method}});
    return json::object{{"unregisterations", std::move(all)}}; // so spelt in the specification
}

} // namespace

operation<void> register_capabilities(caller& session, const std::vector<registration>& added)
{
    return session.call<void>("client/registerCapability", registration_params(added));
}

operation<void> unregister_capabilities(caller& session, const std::vector<registration>& removed)
{
    return session.call<void>("client/unregisterCapability", unregistration_params(removed));
}

} // namespace partyline::lsp
