import type { FieldErrors } from "framewright/host";

/** What an interaction came to. */
export interface Outcome<T = unknown> {
  readonly ok: boolean;
  readonly value: T;
  readonly message: string | undefined;
  readonly fields: FieldErrors;
  /** Where to go next; by default the record or the list. */
  readonly location: string | undefined;
  withMessage(message: string): Outcome<T>;
  withRedirect(location: string): Outcome<T>;
}

/** What `succeed` gives. */
export interface Success<T = unknown> extends Outcome<T> {
  readonly ok: true;
  withMessage(message: string): Success<T>;
  withRedirect(location: string): Success<T>;
}

const outcomes = new WeakSet<object>();
/** Whether something came from `succeed` or `fail`. */
export const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "object" && value !== null && outcomes.has(value);

interface Parts<T> {
  ok: boolean;
  value: T;
  message?: string | undefined;
  fields?: FieldErrors;
  location?: string | undefined;
}

function outcome<T>({ ok, value, message, fields = {}, location }: Parts<T>): Outcome<T> {
  const parts = { ok, value, message, fields, location };
  const made: Outcome<T> = {
    ...parts,
    message,
    location,
    withMessage: (text) => outcome({ ...parts, message: text }),
    withRedirect: (path) => outcome({ ...parts, location: path }),
  };
  outcomes.add(made);
  return made;
}

/** It is done: `return succeed(post).withMessage("Published")`. */
export const succeed = <T = undefined>(value?: T): Success<T | undefined> =>
  outcome({ ok: true, value }) as Success<T | undefined>;
/** It can't be done: `return fail({ title: ["is taken"] })`; the form is shown again. */
export const fail = (fields: FieldErrors = {}, message?: string): Outcome<undefined> =>
  outcome({ ok: false, value: undefined, fields, message });
