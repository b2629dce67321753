/* The scripts of report.html, CLI_SCRIPT(name) for name.js, in the order in which they need each
 * other. They share one scope and are put into the page one after the other. */
CLI_SCRIPT(base)
CLI_SCRIPT(motion)
CLI_SCRIPT(plot)
CLI_SCRIPT(heat)
CLI_SCRIPT(summary)
CLI_SCRIPT(convergence)
CLI_SCRIPT(design)
CLI_SCRIPT(view2d)
CLI_SCRIPT(view3d)
CLI_SCRIPT(pane)
CLI_SCRIPT(player)
CLI_SCRIPT(report)
