/* The keys of an engine that there is for a test alone. `model` and `viscosity` are those of
 * another engine, too, and mean something else. */
SECTION(simulation)
AFTER(simulation, engine)
KEY(simulation, radius, NUMBER, "m", POSITIVE, REQUIRED, "", "", "of a grain")
KEY(simulation, sweeps, INT, "", SWEEPS, "7", "", "", "of the solver")
END(simulation)

SECTION(material)
KEY(material, model, WORD, "", ANY, "hard", "", "hard|sticky", "what a grain is")
KEY(material, cohesion, NUMBER, "N", NONNEGATIVE, REQUIRED, "model=sticky", "", "holds grains")
KEY(material, viscosity, TEXT, "", ANY, "none", "", "", "here a name")
END(material)
