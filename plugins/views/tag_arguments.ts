import { type Context, evalToken, type Tokenizer, toValueSync } from "liquidjs";
import { unwrap } from "./drops.ts";

type Operand = Parameters<typeof evalToken>[0];

/** The arguments of a tag as they are written in its template. */
export interface TagArguments {
  readonly values: readonly Operand[];
  readonly named: readonly (readonly [name: string, value: Operand])[];
}
/** The arguments in a page: records as they are, not as templates see them. */
export interface TagValues {
  readonly values: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

/** Reads `total, 100, unit: "kg"`, separated by commas. @throws an error of liquidjs for anything else */
export function readArguments(tokenizer: Tokenizer): TagArguments {
  const values: Operand[] = [];
  const named: [string, Operand][] = [];
  tokenizer.skipBlank();
  while (!tokenizer.end()) {
    const argument = tokenizer.readFilterArg();
    tokenizer.assert(argument, () => `unexpected character ${tokenizer.snapshot()}`);
    if (Array.isArray(argument)) named.push([String(argument[0]), argument[1]]);
    else values.push(argument);
    tokenizer.skipBlank();
    tokenizer.assert(tokenizer.end() || tokenizer.peek() === ",", () => `unexpected character ${tokenizer.snapshot()}`);
    tokenizer.advance();
    tokenizer.skipBlank();
  }
  return { values, named };
}

export function evaluateArguments({ values, named }: TagArguments, context: Context): TagValues {
  const read = (token: Operand) => withoutDrops(toValueSync(evalToken(token, context) as never));
  return {
    values: values.map(read),
    named: Object.fromEntries(named.map(([name, token]) => [name, read(token)])),
  };
}

/** A record of a template as the record itself, also in a list. */
export const withoutDrops = (value: unknown): unknown => (Array.isArray(value) ? value.map(unwrap) : unwrap(value));
