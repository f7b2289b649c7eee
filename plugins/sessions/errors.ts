import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_SESSION_OVERFLOW: (bytes: number, most: number) =>
    `the session is ${bytes} bytes sealed; a cookie takes ${most}. Change what is in it by set(), which checks, and not by writing into a value that get() returned.`,
});
