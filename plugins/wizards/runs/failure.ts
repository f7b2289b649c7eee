import type { FieldErrors } from "framewright/host";

/** What `fail` throws: what the step or `execute` wrote is undone, and a form is shown with what is wrong. */
export class Failed extends Error {
  readonly fields: FieldErrors;

  constructor(fields: FieldErrors, message?: string) {
    super("the wizard failed");
    this.fields = message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
  }
}

/**
 * It can't be done: `fail("No seats are left")`, `fail({ name: ["is taken"] })`, or both. Ends `onSubmit` and `execute`
 * at once, with or without `return`; what they wrote is undone, and the person is shown the step that asks for it.
 */
export function fail(message: string): never;
export function fail(fields: FieldErrors, message?: string): never;
export function fail(problem: FieldErrors | string, message?: string): never {
  throw typeof problem === "string" ? new Failed({}, problem) : new Failed(problem, message);
}
