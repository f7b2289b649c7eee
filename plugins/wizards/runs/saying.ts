import type { FieldErrors } from "framewright";
import { ValidationError } from "framewright/plugins/database";
import type { Outcome } from "framewright/plugins/resources";

/** A record that `execute` could not save says why; no field of the last step is meant by it. */
export const invalidOutcome = (error: unknown): Pick<Outcome, "fields" | "message"> | undefined =>
  error instanceof ValidationError ? { fields: { base: sentences(error.fields) }, message: undefined } : undefined;
export const sentences = (fields: FieldErrors): string[] =>
  Object.entries(fields).flatMap(([name, texts]) => texts.map((text) => (name === "base" ? text : `${name} ${text}`)));
