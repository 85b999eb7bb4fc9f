/** \file
 *  A private folder for the files of a test. */
#ifndef HOLDFAST_TESTS_SUPPORT_FOLDER_H
#define HOLDFAST_TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/** Make a folder under $TMPDIR or /tmp; fails the test if it cannot. */
void folder_open(char *path, size_t size);
/** Remove it with all the plain files in it. */
void folder_close(const char *path);
/** "FOLDER/NAME", written into `text`. */
const char *folder_file(const char *folder, const char *name, char *text, size_t size);
/** All bytes of a file. Heap, free with free(). */
char *folder_read(const char *path, size_t *size);
void folder_write(const char *path, const char *data, size_t size);
/** Does the file still hold these bytes? */
bool folder_same(const char *path, const char *data, size_t size);

#endif
