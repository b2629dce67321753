/* The keys that this engine has in the sections of a problem file. */
SECTION(simulation)
KEY(simulation, high_corner, POINT, "m", ANY, REQUIRED, "", "", "of the room; the low one is 0")
KEY(simulation, reach, NUMBER, "m", POSITIVE, REQUIRED, "", "",
    "particles of a body within it are joined")
KEY(simulation, damping, NUMBER, "1/s", NONNEGATIVE, "0", "", "", "velocities decay with this rate")
END(simulation)

SECTION(material)
KEY(material, youngs_modulus, NUMBER, "N/m", POSITIVE, REQUIRED, "", "", "stiffness of a spring")
END(material)

SECTION(actuator)
KEY(actuator, max, NUMBER, "", POSITIVE, REQUIRED, "", "",
    "largest share that springs are shortened by")
END(actuator)
