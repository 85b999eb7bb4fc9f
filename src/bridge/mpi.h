/** \file
 *  The ranks of a job under MPI as a team (hf_team). Only `holdfast-mpi` is built with it. */
#ifndef HOLDFAST_SRC_BRIDGE_MPI_H
#define HOLDFAST_SRC_BRIDGE_MPI_H

#include <holdfast/core/team.h>

/** Start MPI. \return HF_ENOTSUP: the library takes calls from one thread only, or from none. End with hf_mpi_close(). */
hf_status hf_mpi_open(hf_context *cx, int *argc, char ***argv, hf_team *out);
/** Wait for the others and end MPI. */
void hf_mpi_close(hf_team *team);

#endif
