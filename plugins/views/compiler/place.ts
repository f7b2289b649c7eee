import type { Template, Token } from "liquidjs";
import type { Names } from "./names.ts";
import type { Unit } from "./unit.ts";

/** Names that a tag opens for what stands inside it: a loop's variable, what an `include` is given. */
export interface Scope {
  /** The code of each name's value. */
  readonly values: ReadonlyMap<string, () => string>;
  /** What `forloop.index` and its like are as plain numbers. */
  readonly counters?: ReadonlyMap<string, string>;
  /** Inside a block: the code that renders the block it stands for. */
  readonly above?: (place: Place) => string;
}

/** One piece of code is left early by these. */
export interface Jump {
  readonly break: string;
  readonly continue: string;
}

/** What stands for a block of a layout: a piece of a template, or all the text of the page. */
export type BlockBody = { readonly tag: Template; readonly templates: readonly Template[] } | { readonly html: string };

/** Where code is written: what is in sight there, and which variable takes the text. */
export interface Place {
  readonly unit: Unit;
  readonly frame: Frame;
  readonly out: string;
  /** The outermost first. */
  readonly scopes: readonly Scope[];
  readonly jump: Jump | undefined;
  /** The node that is being written; its position is what an error tells. */
  readonly node: Token;
  readonly blocks: ReadonlyMap<string, readonly BlockBody[]>;
  /** The list of templates in which a layout may be named; undefined where it may not. */
  readonly top: readonly Template[] | undefined;
  /** Blocks are kept for the layout here, and none is rendered where it stands. */
  readonly storing: boolean;
  /** What is being written further out: neither of them may stand in itself. */
  readonly within: readonly unknown[];
}

/** One scope of templates with what they assign: a page, or what one `render` renders. */
export class Frame {
  readonly names: Names;
  readonly given: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly #temporaries: string[] = ["t"];
  readonly #unit: Unit;

  constructor(unit: Unit, names: Names, given: readonly string[]) {
    this.#unit = unit;
    this.names = names;
    this.given = new Set(given);
    this.variables = new Map([...new Set([...given, ...names.assigned])].map((name) => [name, unit.identifier("v")]));
  }

  /** A variable for what is worked out before it is used. */
  temporary(): string {
    const name = this.#unit.identifier("t");
    this.#temporaries.push(name);
    return name;
  }

  /** What a function begins with: variables for the text, for what is assigned, and for what its code counts. */
  opening(code: string): string {
    const unset = [...this.variables]
      .filter(([name]) => !this.given.has(name))
      .map(([, variable]) => `,${variable}=UNSET`);
    const kept = ["numbers", "registers"].filter((name) => code.includes(name)).map((name) => `const ${name}={};`);
    return `let o="",${this.#temporaries.join(",")}${unset.join("")};${kept.join("")}`;
  }

  /** The names and values of this scope, one behind the other. */
  entries(): string {
    return `[${[...this.variables].map(([name, variable]) => `${quote(name)},${variable}`).join(",")}]`;
  }
}

/** A string as it stands in generated code: whatever it holds, it stays a string. */
export const quote = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
