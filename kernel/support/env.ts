import { errors } from "../errors.ts";

/** How one variable of the environment is read. */
export interface EnvRule<T = unknown> {
  /** Completes "expected …"; the value itself is never quoted, since it may be secret. */
  readonly expected: string;
  /** The value of a text, or undefined when the text does not fit. */
  parse(text: string): T | undefined;
  /** What an absent variable means: an error, undefined, or this value. */
  readonly absent: { required: true } | { value: T | undefined };
}
/** The rules of a plugin's variables, by their names in the environment. */
export type EnvRules = Readonly<Record<string, EnvRule>>;
/** The values of variables, read by their rules. */
export type EnvValues<E> = { readonly [K in keyof E]: E[K] extends EnvRule<infer T> ? T : never };

/** What an absent variable means: `{ default: 30 }` a value, `{ optional: true }` undefined; else boot fails. */
export interface EnvOptions<T> {
  default?: T;
  optional?: true;
}
type Read<T, O> = O extends { optional: true } ? T | undefined : T;
type MakeRule<T> = <const O extends EnvOptions<T> = Record<never, never>>(options?: O) => EnvRule<Read<T, O>>;

/** A rule for variables of a kind of one's own: `envRule("a port", (text) => …)`. `parse` returns undefined for what does not fit. */
export function envRule<T>(expected: string, parse: (text: string) => T | undefined): MakeRule<T> {
  return ((options: EnvOptions<T> = {}) => {
    const hasValue = options.optional === true || options.default !== undefined;
    return { expected, parse, absent: hasValue ? { value: options.default } : { required: true } };
  }) as MakeRule<T>;
}

const booleans: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** The common rules of variables: `env: { AUDIT_URL: env.url(), AUDIT_DAYS: env.integer({ default: 30 }) }`. */
export const env = {
  string: envRule<string>("a text", (text) => text),
  url: envRule<URL>("an address such as https://shop.example", (text) =>
    URL.canParse(text) ? new URL(text) : undefined,
  ),
  integer: envRule<number>("a whole number of zero or more", (text) =>
    /^\d{1,15}$/.test(text) ? Number(text) : undefined,
  ),
  boolean: envRule<boolean>("true or false", (text) => booleans[text]),
  oneOf: <const T extends string>(...choices: readonly T[]): MakeRule<T> =>
    envRule(`one of ${choices.join(", ")}`, (text) => choices.find((choice) => choice === text)),
};

/**
 * Reads a plugin's variables; an empty one counts as absent.
 * @throws FW_ENV_MISSING, FW_ENV_INVALID: the plugin, the variable and what is expected, never the value
 */
export function readEnv(
  plugin: string,
  rules: EnvRules,
  values: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const read = Object.entries(rules).map(([name, { expected, parse, absent }]): [string, unknown] => {
    const text = values[name];
    if (text === undefined || text === "") {
      if ("required" in absent) throw errors.FW_ENV_MISSING(plugin, name, expected);
      return [name, absent.value];
    }
    const value = parse(text);
    if (value === undefined) throw errors.FW_ENV_INVALID(plugin, name, expected);
    return [name, value];
  });
  return Object.fromEntries(read);
}
