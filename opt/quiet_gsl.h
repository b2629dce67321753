/* GSL's default is to abort the program on an error. Between begin and end its functions return
 * codes and NULL instead. Its handler is one for the whole process: contexts side by side share the
 * quiet, and the last one puts back what was there before. */
#ifndef CQ_OPT_QUIET_GSL_H
#define CQ_OPT_QUIET_GSL_H

void cq_quiet_gsl_begin(void);
void cq_quiet_gsl_end(void);

#endif
