import { type Context, type Liquid, RenderError, type Template, type Token, toValueSync } from "liquidjs";
import { namesIn } from "./names.ts";
import { Frame, type Place, quote } from "./place.ts";
import { operators } from "./runtime.ts";
import { Unsupported } from "./unsupported.ts";

/** Writes the code of a list of templates. */
export type Write = (templates: readonly Template[], place: Place) => string;
type Include = { file: unknown; currentFile?: string };

/** One template with all its partials while it is compiled: what they share. */
export class Unit {
  readonly liquid: Liquid;
  /** A context in which nothing can be read, for filters that only look at options. */
  readonly still: Context;
  readonly write: Write;
  /** The functions of partials, one each and set of names. */
  readonly functions: string[] = [];
  readonly constants: unknown[] = [];
  /** How many times a loop, or the page, is left early in what was written. */
  jumps = 0;
  readonly #positions: Token[] = [];
  readonly #partials = new Map<readonly Template[], Map<string, string>>();
  #identifiers = 0;

  constructor(liquid: Liquid, still: Context, write: Write) {
    this.liquid = liquid;
    this.still = still;
    this.write = write;
  }

  identifier(letter: string): string {
    this.#identifiers++;
    return `${letter}${this.#identifiers}`;
  }

  constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    return `k${known === -1 ? this.constants.push(value) - 1 : known}`;
  }

  operator(sign: string): string {
    if (!Object.hasOwn(operators, sign)) throw new Unsupported(`the operator ${quote(sign)}`);
    return this.constant(operators[sign]);
  }

  position(token: Token, file: string | undefined): number {
    if (file !== undefined) token.file ??= file; // liquidjs leaves it out where it reads variables
    return this.#positions.push(token) - 1;
  }

  /** The error as liquidjs tells it, with the place in the template. */
  failure(error: unknown, at: number): unknown {
    return new RenderError(error as Error, { token: this.#positions[at] } as unknown as Template);
  }

  /** The templates of a partial or a layout whose name is a literal. */
  load(tag: Include, token: Token, kind: "partial" | "layout" = "partial"): readonly Template[] {
    if (typeof tag.file !== "string")
      throw new Unsupported(`a ${kind} whose name is worked out while rendering`, token);
    try {
      const load = kind === "partial" ? this.liquid._parsePartialFile : this.liquid._parseLayoutFile;
      return toValueSync(load.call(this.liquid, tag.file, true, tag.currentFile) as never) as Template[];
    } catch {
      throw new Unsupported(`the ${kind} ${quote(tag.file)} can't be read`, token);
    }
  }

  frame(templates: readonly Template[], given: readonly string[]): Frame {
    const names = namesIn(templates, (tag) => {
      const { file, token, name } = tag as unknown as Include & { token: Token; name: string };
      return file === undefined
        ? []
        : this.load(tag as unknown as Include, token, name === "layout" ? "layout" : "partial");
    });
    return new Frame(this, names, given);
  }

  /** The function that renders a partial which is given these names; `body` writes it when it is met first. */
  partial(templates: readonly Template[], key: string, body: (name: string) => string): string {
    const known = this.#partials.get(templates) ?? new Map<string, string>();
    this.#partials.set(templates, known);
    const name = known.get(key) ?? this.identifier("p");
    if (!known.has(key)) {
      known.set(key, name); // before its body: a partial may render itself
      this.functions.push(body(name));
    }
    return name;
  }
}
