import { messageOf } from "framewright/kernel";
import { Context, type Liquid, type Template } from "liquidjs";
import { type Compiled, Compiler } from "./compiler/index.ts";
import type { RenderMode } from "./contract.ts";
import type { PageDrop } from "./drops.ts";

interface CachedTemplate {
  mode: RenderMode;
  render: Compiled;
  /** The files that were compiled in. */
  partials: readonly string[];
}
const SWITCHED_OFF = "compilation is switched off";
const CODE_FORBIDDEN = "this process forbids code from strings";

/** The templates of one engine, compiled when first rendered; interpreted by liquidjs where the compiler can't. */
export class TemplateCache {
  readonly #liquid: Liquid;
  readonly #compiler: Compiler | undefined;
  readonly #known = new Map<string, CachedTemplate>();

  constructor(liquid: Liquid, compile: boolean) {
    this.#liquid = liquid;
    this.#compiler = compile ? new Compiler(liquid) : undefined;
  }

  get(file: string, parse: () => Template[]): CachedTemplate {
    let known = this.#known.get(file);
    if (!known) {
      known = this.#make(parse());
      this.#known.set(file, known);
    }
    return known;
  }

  clear(): void {
    this.#known.clear();
  }

  #make(templates: Template[]): CachedTemplate {
    if (!this.#compiler) return this.#interpreted(templates, SWITCHED_OFF);
    try {
      return { mode: { compiled: true }, ...this.#compiler.compile(templates) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error; // don't cache: a partial that can't be read now may be readable later
      return this.#interpreted(templates, error instanceof EvalError ? CODE_FORBIDDEN : messageOf(error));
    }
  }

  #interpreted(templates: Template[], why: string): CachedTemplate {
    const render = (page: PageDrop) => {
      const context = new Context({}, this.#liquid.options, { globals: page, sync: true });
      const html = this.#liquid.renderSync(templates, context) as string;
      return { html, assigned: context.bottom() as Record<string, unknown> };
    };
    return { mode: { compiled: false, why }, render, partials: [] };
  }
}
