/* The module of Apple's that has a part by this name is one in C. */
