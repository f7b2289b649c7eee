import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_STORAGE_KEY: () =>
    "this is not the key of a stored file. Use the key that put() returned, never one from a request.",
  FW_STORAGE_MISSING: (key: string) =>
    `the stored file ${key} does not exist. It was deleted, or the plugin's directory has changed.`,
  FW_STORAGE_WRITE: (directory: string, reason: string) =>
    `a file could not be written below ${directory}: ${reason}. Allow the process to write there, or set another directory: storage({ directory }).`,
});
