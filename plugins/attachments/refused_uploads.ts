import type { UploadedFile } from "framewright/host";

/** Module-level: found by a file of a request, and freed with it: those that are not stored for the next try. */
export const refusedUploads = new WeakSet<UploadedFile>();
