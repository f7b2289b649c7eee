import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_PASSWORD_EMPTY: () => "an empty password can't be hashed. Refuse it before, with a validation.",
  FW_PASSWORD_FOREIGN: (name: string) =>
    `${name}({ like }) is not a hash of this format, or costs too much. Pass one of the imported hashes.`,
  FW_PASSWORD_WORKER: (reason: string) => `a password worker ended: ${reason}. Try again; a new one takes its place.`,
});
