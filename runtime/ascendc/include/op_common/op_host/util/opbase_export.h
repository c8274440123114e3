#ifndef ASCENDC_CPU_OPBASE_EXPORT_H
#define ASCENDC_CPU_OPBASE_EXPORT_H

#define OPBASE_API __attribute__((visibility("default")))

#endif
