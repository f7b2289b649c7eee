import { HttpError } from "framewright/host";

/**
 * Why a record was refused: `policy` and `condition` of the action; `gone`: it is deleted, out of sight or no longer in
 * the list; `list`: the person may not see the list any more; `account`: the account may not act any more; `entry`: it
 * can't enter the portal or tenant any more; `choice`: what was chosen at the start may not be chosen any more; `stopped`:
 * another one could not be done, and the interaction stops there.
 */
export type RefusalKind = "policy" | "condition" | "gone" | "list" | "account" | "entry" | "choice" | "stopped";

/** A record, or all that are left, may not be acted on. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  constructor(kind: RefusalKind) {
    super(`refused: ${kind}`);
    this.kind = kind;
  }
}

/** Whether an error means that something may not be done, rather than that it can't be done now. */
export const isDenial = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500;
