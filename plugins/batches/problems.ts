import type { FieldErrors } from "framewright/host";
import { ValidationError } from "framewright/plugins/database";
import type { Outcome, RefusalKind, ResourceController } from "framewright/plugins/resources";
import { AttributeInvalid, fieldErrors, isDenial, Refusal } from "framewright/plugins/resources/toolkit";

/** Why one of a batch was not done, without its index. */
export interface Problem {
  readonly errors: FieldErrors;
  readonly refused: RefusalKind | undefined;
}

/** Carries it out of a transaction, which it undoes. */
export class BatchRefused extends Error {
  readonly problem: Problem;
  constructor(errors: FieldErrors, refused?: RefusalKind) {
    super("one of a batch can't be done");
    this.problem = { errors, refused };
  }
}

/** What an error reports of one record; undefined for one that nobody expects. */
export function problemOf(controller: ResourceController | undefined, error: unknown): Problem | undefined {
  if (error instanceof BatchRefused) return error.problem;
  if (error instanceof Refusal) return { errors: {}, refused: error.kind };
  if (error instanceof AttributeInvalid) return { errors: error.errors, refused: undefined };
  if (error instanceof ValidationError && controller)
    return { errors: fieldErrors(controller, error.problems, Object.keys(error.problems)), refused: undefined };
  const failed = (error as { outcome?: Outcome } | undefined)?.outcome;
  if (failed) return { errors: withBase(failed.fields, failed.message), refused: undefined };
  if (!isDenial(error)) return undefined;
  return { errors: withBase({}, error.message), refused: error.status === 403 ? "policy" : undefined };
}

const withBase = (fields: FieldErrors, message: string | undefined): FieldErrors =>
  message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
