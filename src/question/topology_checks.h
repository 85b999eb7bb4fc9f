/** \file
 *  What `topology --connectivity` and `topology --against` answer. */
#ifndef HOLDFAST_SRC_QUESTION_TOPOLOGY_CHECKS_H
#define HOLDFAST_SRC_QUESTION_TOPOLOGY_CHECKS_H

#include <holdfast/question.h>

/** Columns of the first tables, ended by {0}. */
extern const hf_column hf_topology_check[], hf_topology_against[];
/** Is every pair connected? Of a multipath network a row a stage. */
hf_status hf_topology_answer_check(hf_context *cx, const hf_topology *topo, hf_report *answer);
/** How many links are missing beside the network of `spec`, and how many there are besides; a row of the table `differences` for
 *  each two nodes that are joined by another number of links. The answer is no if there are such. */
hf_status hf_topology_answer_against(hf_context *cx, const hf_topology *topo, const char *spec, hf_report *answer);

#endif
