import { messageOf } from "framewright/kernel";
import { Context, type Liquid, type Template } from "liquidjs";
import { type Compiled, Compiler } from "./compiler/index.ts";
import type { PageDrop } from "./drops.ts";

/** How a template is rendered: as a function, or by liquidjs, and then why. */
export type Way = { compiled: true } | { compiled: false; why: string };
interface Rendering {
  way: Way;
  render: Compiled;
}
const OFF = "compilation is switched off";
const FORBIDDEN = "this process forbids code from strings";

/** The templates of one engine as functions: made when they are first rendered, by liquidjs where that can't be. */
export class CompiledTemplates {
  readonly #liquid: Liquid;
  readonly #compiler: Compiler | undefined;
  readonly #known = new Map<string, Rendering>();

  constructor(liquid: Liquid, compile: boolean) {
    this.#liquid = liquid;
    this.#compiler = compile ? new Compiler(liquid) : undefined;
  }

  get(file: string, parse: () => Template[]): Rendering {
    let known = this.#known.get(file);
    if (!known) {
      known = this.#make(parse());
      this.#known.set(file, known);
    }
    return known;
  }

  forget(): void {
    this.#known.clear();
  }

  #make(templates: Template[]): Rendering {
    if (!this.#compiler) return this.#interpreted(templates, OFF);
    try {
      return { way: { compiled: true }, render: this.#compiler.compile(templates) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error; // a partial that can't be read now can be later
      return this.#interpreted(templates, error instanceof EvalError ? FORBIDDEN : messageOf(error));
    }
  }

  #interpreted(templates: Template[], why: string): Rendering {
    const render = (page: PageDrop) => {
      const context = new Context({}, this.#liquid.options, { globals: page, sync: true });
      const html = this.#liquid.renderSync(templates, context) as string;
      return { html, assigned: context.bottom() as Record<string, unknown> };
    };
    return { way: { compiled: false, why }, render };
  }
}
