import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_STORAGE_KEY: () =>
    "this is no key of a stored file. Use the key that put() returned, and take none from a request.",
  FW_STORAGE_MISSING: (key: string) =>
    `the stored file ${key} is not there. It was deleted, or the plugin's directory is another one than it was.`,
  FW_STORAGE_WRITE: (directory: string, reason: string) =>
    `a file could not be written below ${directory}: ${reason}. Let the process write there, or give storage({ directory }) another place.`,
});
