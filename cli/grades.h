/* gradcheck --grades: all gradients that the engine of a problem has, against each other. */
#ifndef CQ_CLI_GRADES_H
#define CQ_CLI_GRADES_H

#include "session.h"

cq_status cli_grades_print(cli_session *session);

#endif
