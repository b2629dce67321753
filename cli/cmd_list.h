/* The subcommands: CQ_COMMAND(name, arguments, least and most of them, option groups, help).
 * To add one: a cmd_<name>.c with cmd_<name>() and a line here. */
CQ_COMMAND(solve, "PROBLEM", 1, 1, OPTIONS_RUN | OPTIONS_START | OPTIONS_RESUME,
           "optimize a problem and leave a run folder")
CQ_COMMAND(simulate, "PROBLEM", 1, 1, OPTIONS_RUN | OPTIONS_DESIGN | OPTIONS_FRAMES,
           "run a problem once, at its start or a design, and leave what happened")
CQ_COMMAND(gradcheck, "PROBLEM", 1, 1,
           OPTIONS_RUN | OPTIONS_START | OPTIONS_TOLERANCE | OPTIONS_GRADES,
           "compare every gradient with finite differences")
CQ_COMMAND(evaluate, "PROBLEM", 1, 1, OPTIONS_SETS | OPTIONS_EVALUATE,
           "print objective, constraints and gradients at designs, for other programs")
CQ_COMMAND(compare, "PROBLEM", 1, 1, OPTIONS_RUN | OPTIONS_BATCH | OPTIONS_COMPARE,
           "solve a problem by several methods, from the same starts, on the same budget")
CQ_COMMAND(study, "PROBLEM", 1, 1, OPTIONS_RUN | OPTIONS_BATCH | OPTIONS_STUDY,
           "solve a problem with many settings: a grid, samples or a table")
CQ_COMMAND(new, "PROBLEM [FILE]", 1, 2, 0,
           "copy a built-in problem to a file of your own, by default PROBLEM.cfg")
CQ_COMMAND(list, "[problems|optimizers|FOLDER]", 0, 1, OPTIONS_LIST,
           "name the built-in problems, the optimizers or, with --runs, the runs below a folder")
CQ_COMMAND(show, "PROBLEM|RUN-FOLDER", 1, 1, OPTIONS_SETS,
           "print a problem file and its size, or sum up a run folder, also while it runs")
CQ_COMMAND(profile, "RUN-FOLDER", 1, 1, OPTIONS_PROFILE,
           "intervals of a fit's variables beyond first order: profiles, or a bootstrap")
CQ_COMMAND(report, "RUN-FOLDER...", 1, 99, OPTIONS_REPORT,
           "write a page on a run, or several side by side, with plots and motions")
CQ_COMMAND(render, "RUN-FOLDER|PROBLEM", 1, 1, OPTIONS_SETS | OPTIONS_DESIGN | OPTIONS_RENDER,
           "draw the motion of a run, or of a problem at its start or a design")
CQ_COMMAND(export, "RUN-FOLDER|PROBLEM", 1, 1, OPTIONS_SETS | OPTIONS_DESIGN | OPTIONS_EXPORT,
           "write the controller of a run or a problem as C and JSON, or its state")
CQ_COMMAND(plot, "RUN-FOLDER|FILE.csv...", 1, 99, OPTIONS_PLOT,
           "draw columns of runs, or of tables, over each other")
CQ_COMMAND(bench, "", 0, 0, OPTIONS_BENCH,
           "measure the simulator against plain loops and the machine's peaks")
CQ_COMMAND(doctor, "", 0, 0, 0, "say what this cqopt and this machine have, and what is missing")
CQ_COMMAND(help, "[COMMAND | schema | algorithms | WORD]", 0, 2, 0,
           "explain a command, the problem file, the algorithms, or a word of a problem file")
