/**
 * The base of every error that the framework throws on purpose. `code` is stable and safe to match on; the message
 * names the culprit and ends in what to do about it.
 */
export class FramewrightError extends Error {
  readonly code: string;
  /** HTTP status that a request ending in this error is answered with; absent on boot errors. */
  status?: number;

  constructor(code: string, message: string, options: { cause?: unknown; status?: number } = {}) {
    super(`${code}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "FramewrightError";
    this.code = code;
    if (options.status !== undefined) this.status = options.status;
  }
}

type Sentence<A extends unknown[]> = (...args: A) => string;
type Raise<A extends unknown[]> = (...args: A) => FramewrightError;
type Raises<T extends Record<string, Sentence<never[]>>> = { readonly [K in keyof T]: Raise<Parameters<T[K]>> };

/**
 * Creates the error table of a layer or plugin: one line a code, each a function from the culprits to the message.
 * `const errors = errorTable({ FW_X: (name: string) => `…` }); throw errors.FW_X("posts");`
 */
export function errorTable<T extends Record<string, Sentence<never[]>>>(table: T): Raises<T> {
  const raises: Record<string, Raise<never[]>> = {};
  for (const [code, sentence] of Object.entries(table)) {
    raises[code] = (...args) => new FramewrightError(code, sentence(...args));
  }
  return raises as Raises<T>;
}

/** A short, safe description of a value for an error message: never its contents, which may be secret. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return `an object (${value.constructor?.name ?? "no prototype"})`;
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

/** The message of anything that was thrown; of a failed `fetch` with its cause, which Node leaves out. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error && thrown.message === "fetch failed" && thrown.cause !== undefined)
    return `fetch failed: ${messageOf(thrown.cause) || String((thrown.cause as { code?: unknown }).code)}`;
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "object" ? describe(thrown) : String(thrown);
}
