#ifndef CVERSION_H
#define CVERSION_H

/* The commit that the program was built from, as `git describe --always --dirty` calls it; empty where the build does not know. Package.swift
   takes it from BUSCTL_RX_COMMIT, which the Makefile sets. */
const char *cversion_commit(void);

#endif
