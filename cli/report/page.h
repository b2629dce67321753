/* The parts of report.html, embedded at build time (cmake/embed.cmake): page.html, style.css and
 * the scripts, by their names without endings. Ends with a row of NULLs. */
#ifndef CQ_CLI_REPORT_PAGE_H
#define CQ_CLI_REPORT_PAGE_H

typedef struct cli_embedded {
  const char *name;
  const char *text;
} cli_embedded;

extern const cli_embedded cli_page_data[];

#endif
