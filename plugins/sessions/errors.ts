import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_SESSION_OVERFLOW: (bytes: number, most: number) =>
    `the encrypted session has ${bytes} bytes, and a cookie takes ${most}. Change it by set(), which checks the size, instead of modifying a value that get() returned.`,
});
