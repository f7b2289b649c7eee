import type { FieldErrors, FileContent, FlashKind } from "framewright/host";

/** What an interaction came to. */
export interface Outcome<T = unknown> {
  readonly ok: boolean;
  readonly value: T;
  readonly message: string | undefined;
  /** How the message is shown: `success` by default. */
  readonly messageKind: FlashKind | undefined;
  readonly fields: FieldErrors;
  /** Where to go next; by default the record or the list. */
  readonly location: string | undefined;
  /** What is downloaded in place of a redirect. */
  readonly file: FileContent | undefined;
  /** What is shown in place of a redirect. */
  readonly page: OutcomePage | undefined;
  withMessage(message: string, kind?: FlashKind): Outcome<T>;
  withRedirect(location: string): Outcome<T>;
  /** What this came to, where it went well, else itself: `succeed(post).andThen((post) => this.notify(post))`. */
  andThen<U>(next: (value: T) => Outcome<U> | Promise<Outcome<U>>): Promise<Outcome<T | U>>;
}
/** A view of the application, with its locals. */
export interface OutcomePage {
  readonly view: string;
  readonly locals: Record<string, unknown>;
}

/** What `succeed` gives. */
export interface Success<T = unknown> extends Outcome<T> {
  readonly ok: true;
  withMessage(message: string, kind?: FlashKind): Success<T>;
  /** Where to go next: a path of this application. */
  withRedirect(location: string): Success<T>;
  /** The answer is a download, for people and programs; the interaction sets `static override download = true`. */
  withFile(file: FileContent): Success<T>;
  /** People get this page in place of a redirect: `succeed().withPage("posts/report", { total })`. */
  withPage(view: string, locals?: Record<string, unknown>): Success<T>;
}

/** Module-level: marks what succeed() and fail() create, so that nothing else passes for it. */
const outcomes = new WeakSet<object>();
/** Whether something came from `succeed` or `fail`. */
export const isOutcome = (value: unknown): value is Outcome =>
  typeof value === "object" && value !== null && outcomes.has(value);

type Parts<T> = Pick<Outcome<T>, "ok" | "value"> & Partial<Outcome<T>>;

function outcome<T>({ ok, value, message, messageKind, fields = {}, location, file, page }: Parts<T>): Outcome<T> {
  const parts = { ok, value, message, messageKind, fields, location, file, page };
  const made: Outcome<T> & Pick<Success<T>, "withFile" | "withPage"> = {
    ...parts,
    withMessage: (text, kind) => outcome({ ...parts, message: text, messageKind: kind }),
    withRedirect: (path) => outcome({ ...parts, location: path }),
    withFile: (content) => outcome({ ...parts, file: content }) as Success<T>,
    withPage: (view, locals = {}) => outcome({ ...parts, page: { view, locals } }) as Success<T>,
    andThen: async (next) => (ok ? await next(value) : made),
  };
  outcomes.add(made);
  return made;
}

/** It is done: `return succeed(post).withMessage("Published")`. */
export function succeed(): Success<undefined>;
export function succeed<T>(value: T): Success<T>;
export function succeed<T>(value?: T): Success<T | undefined> {
  return outcome({ ok: true, value }) as Success<T | undefined>;
}
/** It can't be done: `return fail({ title: ["is taken"] })`; the form is shown again. */
export const fail = (fields: FieldErrors = {}, message?: string): Outcome<never> =>
  outcome({ ok: false, value: undefined as never, fields, message });
