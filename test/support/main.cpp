#define BOOST_TEST_MODULE partyline
#include <boost/test/unit_test.hpp>
