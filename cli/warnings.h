/* What a run warned of, read back from its log. */
#ifndef CQ_CLI_WARNINGS_H
#define CQ_CLI_WARNINGS_H

/* Calls take for each line of <folder>/log.txt that is a warning or an error: "warning: ...",
 * without its time. A log that is not there has none. */
void cli_warnings_read(const char *folder, void (*take)(void *user, const char *line), void *user);

#endif
