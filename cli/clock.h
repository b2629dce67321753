/* Wall-clock time in UTC, as text. */
#ifndef CQ_CLI_CLOCK_H
#define CQ_CLI_CLOCK_H

enum { CLI_STAMP = 32 };

/* 2024-05-17T08:30:00Z */
void cli_clock_iso(char text[CLI_STAMP]);
/* 20240517T083000Z, for file names */
void cli_clock_compact(char text[CLI_STAMP]);
/* "0.42 s", "1 min 20 s", "2 h 05 min"; "-" for a time that is not known (NAN). */
void cli_clock_duration(double seconds, char text[CLI_STAMP]);
/* The same in at most 8 characters: "1m 20s", "2h 05m", "3d 04h". */
void cli_clock_short(double seconds, char text[CLI_STAMP]);

#endif
