import type { FieldErrors } from "framewright/host";

/** Thrown by `fail`: the transaction of the step or of `execute` is rolled back, and the form is shown with the errors. */
export class WizardFailure extends Error {
  readonly fields: FieldErrors;

  constructor(fields: FieldErrors, message?: string) {
    super("the wizard failed");
    this.fields = message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
  }
}

/**
 * Ends `onSubmit` or `execute` with an error: `fail("No seats are left")`, `fail({ name: ["is taken"] })`, or both. It
 * throws, with or without `return`; what they wrote is rolled back, and the person is shown the step to correct.
 */
export function fail(message: string): never;
export function fail(fields: FieldErrors, message?: string): never;
export function fail(problem: FieldErrors | string, message?: string): never {
  throw typeof problem === "string" ? new WizardFailure({}, problem) : new WizardFailure(problem, message);
}
