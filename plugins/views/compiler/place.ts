import type { Template, Token } from "liquidjs";
import type { ScopeNames } from "./names.ts";
import type { CompilationUnit } from "./unit.ts";

/** Names that a tag defines for its content: a loop's variable, the arguments of an `include`. */
export interface Scope {
  /** The code of each name's value. */
  readonly values: ReadonlyMap<string, () => string>;
  /** The code of `forloop.index` and the other counters, as plain numbers. */
  readonly counters?: ReadonlyMap<string, string>;
  /** Inside a block: the code of `block.super`. */
  readonly above?: (place: Place) => string;
}

/** The statements that `break` and `continue` compile to. */
export interface Jump {
  readonly break: string;
  readonly continue: string;
}

/** The content of a layout's block: templates, or the variable with the page's text. */
export type BlockBody = { readonly tag: Template; readonly templates: readonly Template[] } | { readonly html: string };

/** Where code is written: the visible scopes, and the variable that the text is appended to. */
export interface Place {
  readonly unit: CompilationUnit;
  readonly frame: Frame;
  readonly out: string;
  /** The outermost first. */
  readonly scopes: readonly Scope[];
  readonly jump: Jump | undefined;
  /** The node that is being written; errors report its position. */
  readonly node: Token;
  readonly blocks: ReadonlyMap<string, readonly BlockBody[]>;
  /** The list of templates in which `layout` is allowed; undefined where it is not. */
  readonly top: readonly Template[] | undefined;
  /** Blocks are collected for the layout here, not rendered. */
  readonly isStoring: boolean;
  /** The enclosing templates and blocks, to refuse recursion. */
  readonly within: readonly unknown[];
}

/** A scope of templates with the variables that they assign: a page, or one `render`. */
export class Frame {
  readonly names: ScopeNames;
  readonly given: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly #temporaries: string[] = ["t"];
  readonly #unit: CompilationUnit;

  constructor(unit: CompilationUnit, names: ScopeNames, given: readonly string[]) {
    this.#unit = unit;
    this.names = names;
    this.given = new Set(given);
    this.variables = new Map([...new Set([...given, ...names.assigned])].map((name) => [name, unit.identifier("v")]));
  }

  /** A variable for an intermediate value. */
  temporary(): string {
    const name = this.#unit.identifier("t");
    this.#temporaries.push(name);
    return name;
  }

  /** The beginning of a function: variables for the text, for assigned names, and for counters. */
  opening(code: string): string {
    const unset = [...this.variables]
      .filter(([name]) => !this.given.has(name))
      .map(([, variable]) => `,${variable}=UNSET`);
    const kept = ["numbers", "registers"].filter((name) => code.includes(name)).map((name) => `const ${name}={};`);
    return `let o="",${this.#temporaries.join(",")}${unset.join("")};${kept.join("")}`;
  }

  /** The names and values of this scope, alternating. */
  entries(): string {
    return `[${[...this.variables].map(([name, variable]) => `${quote(name)},${variable}`).join(",")}]`;
  }
}

/** A string literal of generated code; no content can end it. */
export const quote = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`);
