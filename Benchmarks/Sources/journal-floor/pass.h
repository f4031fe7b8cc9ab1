#pragma once

/// Prints the messages in the directory's journal files that contain the needle, file after file in order of age and
/// each in the order of the objects. Compressed messages are left out. Answers 0, or a negative error number.
int pass_directory(const char *directory, const char *needle);
