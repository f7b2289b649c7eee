import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_PASSWORD_EMPTY: () => "an empty password can't be hashed. Refuse it before, with a validation.",
  FW_PASSWORD_FOREIGN: (name: string) =>
    `${name}({ like }) is no hash of its kind, or one that takes too much work. Give one of the hashes that are imported.`,
  FW_PASSWORD_WORKER: (reason: string) => `a password worker ended: ${reason}. Try again; a new one takes its place.`,
});
