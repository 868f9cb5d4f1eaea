#define BOOST_TEST_MODULE behaviour
#include <boost/test/unit_test.hpp>
