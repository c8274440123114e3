// What most files of the machine include, for a compiler that reads it once for all of them.
#include "arithmetic.h"
#include "blocks.h"
#include "core.h"
#include "elementary.h"
#include "launch.h"
#include "numeric.h"
#include "report.h"
#include "vector.h"

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
