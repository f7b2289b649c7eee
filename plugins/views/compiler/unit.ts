import { type Context, type Liquid, RenderError, type Template, type Token, toValueSync } from "liquidjs";
import { KeptValues } from "./kept_values.ts";
import { namesIn } from "./names.ts";
import { Frame, type Place, quote } from "./place.ts";
import { operators } from "./runtime.ts";
import { Unsupported } from "./unsupported.ts";

/** Writes the code of a list of templates. */
export type WriteCode = (templates: readonly Template[], place: Place) => string;
type Include = { file: unknown; currentFile?: string };

/** The compilation of one template with all its partials: functions, constants and positions that they share. */
export class CompilationUnit {
  readonly liquid: Liquid;
  /** An empty context, for filters that only read options. */
  readonly still: Context;
  readonly write: WriteCode;
  /** The functions of partials, one per partial and set of argument names. */
  readonly functions: string[] = [];
  readonly constants: unknown[] = [];
  /** The files of the partials and layouts that were compiled in. */
  readonly files = new Set<string>();
  /** The number of `break` and `continue` written so far. */
  jumps = 0;
  /** The values that are cached for what their filters read, by its path. */
  readonly keptValues = new Map<string, { path: readonly string[]; name: string; values: KeptValues }>();
  readonly #positions: Token[] = [];
  readonly #partials = new Map<readonly Template[], Map<string, string>>();
  #identifiers = 0;

  constructor(liquid: Liquid, still: Context, write: WriteCode) {
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

  /** The code of a value that is computed once for each value that is read at a path of the page. */
  kept(path: readonly string[], make: (read: unknown) => unknown): string {
    const key = path.join(".");
    const known = this.keptValues.get(key) ?? { path, name: this.identifier("m"), values: new KeptValues() };
    this.keptValues.set(key, known);
    const at = known.values.add(make);
    return `(${known.name}[${at}]??=${this.constant(known.values)}.make(${known.name},${at}))`;
  }

  operator(sign: string): string {
    if (!Object.hasOwn(operators, sign)) throw new Unsupported(`the operator ${quote(sign)}`);
    return this.constant(operators[sign]);
  }

  position(token: Token, file: string | undefined): number {
    if (file !== undefined) token.file ??= file; // liquidjs omits it for variables
    return this.#positions.push(token) - 1;
  }

  /** The error as in liquidjs, with the position in the template. */
  failure(error: unknown, at: number): unknown {
    return new RenderError(error as Error, { token: this.#positions[at] } as unknown as Template);
  }

  /** The templates of a partial or a layout whose name is a literal. */
  load(tag: Include, token: Token, kind: "partial" | "layout" = "partial"): readonly Template[] {
    if (typeof tag.file !== "string") throw new Unsupported(`a ${kind} whose name is computed while rendering`, token);
    try {
      const load = kind === "partial" ? this.liquid._parsePartialFile : this.liquid._parseLayoutFile;
      const loaded = toValueSync(load.call(this.liquid, tag.file, true, tag.currentFile) as never) as Template[];
      const file = loaded.find(({ token }) => token.file !== undefined)?.token.file;
      if (file !== undefined) this.files.add(file);
      return loaded;
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

  /** The function of a partial with these argument names; `body` writes it on first use. */
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
