import { Context, type Liquid, LiquidError, type Template } from "liquidjs";
import type { PageDrop } from "../drops.ts";
import { write } from "./nodes.ts";
import { startOf } from "./partials.ts";
import { quote } from "./place.ts";
import { runtimeOf } from "./runtime.ts";
import { CompilationUnit } from "./unit.ts";

export interface Rendered {
  html: string;
  /** The variables that the template assigned or captured, for its layout. */
  assigned: Record<string, unknown>;
}
/** A template as a function of the page. */
export type Compiled = (page: PageDrop) => Rendered;

/** Compiles parsed templates to functions. Only files reach it, never a stored value. */
export class Compiler {
  readonly #liquid: Liquid;
  readonly #still: Context;
  readonly #runtime: Readonly<Record<string, unknown>>;

  constructor(liquid: Liquid) {
    this.#liquid = liquid;
    this.#still = new Context({}, liquid.options, { sync: true });
    this.#runtime = runtimeOf(liquid);
  }

  /** @throws Unsupported for a construct that it can't compile; EvalError where Node forbids code from strings */
  compile(templates: readonly Template[]): { render: Compiled; partials: readonly string[] } {
    const unit = new CompilationUnit(this.#liquid, this.#still, write);
    const render = functionOf(sourceOf(unit, templates), unit, this.#runtime);
    return { render, partials: [...unit.files] };
  }
}

/** All code of a template: its own and that of its partials. */
function sourceOf(unit: CompilationUnit, templates: readonly Template[]): string {
  const [first] = templates;
  if (!first) return `return(g)=>({html:"",assigned:scope([])});`;
  const frame = unit.frame(templates, []);
  const jump = { break: "break R;", continue: "break R;" };
  const place = { ...startOf(unit, frame, { node: first.token, within: [templates], jump }), top: templates };
  const code = unit.write(templates, place);
  const kept = keptCode(unit);
  return `let at=0;${kept.declare}
${unit.functions.join("\n")}
return(g)=>{const before=at;at=0;${kept.open}${frame.opening(code)}
try{R:{${code}}const assigned=scope(${frame.entries()});at=before;${kept.close}return{html:o,assigned}}
catch(error){const failed=failure(error,at);at=before;${kept.close}throw failed}};`;
}

/** Code around a template's own for the values that are cached: a template may be rendered while it is. */
function keptCode(unit: CompilationUnit): Record<"declare" | "open" | "close", string> {
  const all = [...unit.keptValues.values()];
  const code = (one: (kept: (typeof all)[number]) => string) => all.map(one).join("");
  const found = ([name, ...keys]: readonly string[]) =>
    keys.reduce((value, key) => `read(${value},${quote(key)})`, `page(g,${quote(name ?? "")})`);
  return {
    declare: code(({ name }) => `let ${name};`),
    open: code(
      ({ name, path, values }) =>
        `const before_${name}=${name};${name}=${unit.constant(values)}.listFor(${found(path)});`,
    ),
    close: code(({ name }) => `${name}=before_${name};`),
  };
}

function functionOf(source: string, unit: CompilationUnit, runtime: Readonly<Record<string, unknown>>): Compiled {
  const failure = (error: unknown, at: number) => (LiquidError.is(error) ? error : unit.failure(error, at));
  const constants = unit.constants.map((_, index) => `k${index}`);
  const names = [...Object.keys(runtime), "failure", ...constants];
  const make = new Function(...names, `"use strict";${source}`) as (...values: unknown[]) => Compiled;
  return make(...Object.values(runtime), failure, ...unit.constants);
}
