import { sep } from "node:path";
import { SafeHtml } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { Rendered } from "./compiler/index.ts";
import type { FoundTemplate, RenderedTemplate, ViewHooks, ViewRequest, ViewRoot, Views } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Filter } from "./filters.ts";
import { LiquidEngine, type LiquidEngineOptions } from "./liquid_engine.ts";
import { RenderSlots } from "./render_slots.ts";
import { checkTagName, type Tag } from "./tags.ts";
import { directoriesFor } from "./template_finder.ts";

/** Runs one step per turn of the event loop: compiling a template takes about 2 ms, and no request waits longer. */
function runInBackground(work: Iterator<unknown>): void {
  if (!work.next().done) setImmediate(runInBackground, work).unref();
}

/** Runs a background step and reports its failure (too many open files); the template is compiled when a page needs it. */
function tryStep<T>(step: () => T, otherwise: T, report: (error: unknown) => void): T {
  try {
    return step();
  } catch (error) {
    report(error);
    return otherwise;
  }
}

type Locals = Record<string, unknown>;

/** A file with the rank of the folder that it is in; the longest one where folders lie in each other. */
function foundIn(roots: readonly ViewRoot[], file: string): FoundTemplate {
  const around = roots.filter(({ directory }) => file.startsWith(directory + sep));
  const [nearest] = around.sort((a, b) => b.directory.length - a.directory.length);
  return { file, rank: nearest?.rank ?? "application" };
}

/** The service, and `warm`, which compiles all templates in the background; `report` receives errors. */
export function openViews(
  hooks: ViewHooks,
  filters: Record<string, Filter>,
  options: LiquidEngineOptions,
  registrant: () => string | undefined = () => undefined,
): Views & { warm(report: (error: unknown) => void): void } {
  const roots: ViewRoot[] = [];
  const known = new Registry<Filter>("the Liquid filter", registrant);
  for (const [name, filter] of Object.entries(filters)) known.add(name, filter);
  const tags = new Registry<Tag>("the Liquid tag", registrant);
  const engines = new Map<string, LiquidEngine>();
  const listeners: ((rendered: RenderedTemplate) => void)[] = [];

  const engineFor = (portal = ""): LiquidEngine => {
    const engine =
      engines.get(portal) ??
      new LiquidEngine(directoriesFor(roots, portal || undefined), new Map(known.entries()), options, tags.entries());
    engines.set(portal, engine);
    engine.refresh();
    return engine;
  };

  const locate = (engine: LiquidEngine, names: readonly string[]): string => {
    for (const name of names) {
      const file = engine.finder.find(name);
      if (file !== undefined) return file;
    }
    throw errors.FW_VIEW_MISSING(names, engine.finder.candidates(names));
  };

  const observed = (engine: LiquidEngine, file: string, render: () => Rendered): Rendered => {
    const start = performance.now();
    const rendered = render();
    const milliseconds = performance.now() - start;
    const partials = engine.partialsOf(file).map((partial) => foundIn(roots, partial));
    for (const listen of listeners) listen({ ...foundIn(roots, file), milliseconds, partials });
    return rendered;
  };

  const renderFile = (engine: LiquidEngine, file: string, locals: Locals, assigned?: Locals): Rendered =>
    listeners.length === 0
      ? engine.render(file, locals, assigned)
      : observed(engine, file, () => engine.render(file, locals, assigned));

  const renderTemplate = ({ portal, names, layout, locals }: ViewRequest): string => {
    const engine = engineFor(portal);
    const page = renderFile(engine, locate(engine, names), locals);
    if (layout === undefined || layout === "none") return page.html;
    page.assigned.content = new SafeHtml(page.html);
    return renderFile(engine, locate(engine, [`layouts/${layout}`]), locals, page.assigned).html;
  };

  function* everything(report: (error: unknown) => void): Iterator<unknown> {
    for (const portal of new Set([undefined, ...roots.map(({ portal: name }) => name)])) {
      const engine = engineFor(portal);
      const files = tryStep(() => engine.finder.all(), [], report);
      for (const file of files) yield tryStep(() => engine.modeOf(file), undefined, report);
    }
  }

  const addRoot = (root: ViewRoot): void => {
    roots.push(root);
    engines.clear(); // created again with the longer list
  };

  return {
    slots: new RenderSlots(registrant),
    addRoot,
    addFilter(name, filter, given) {
      known.add(name, filter, given);
      for (const engine of engines.values()) engine.addFilter(name, filter);
    },
    addTag(name, tag, given) {
      checkTagName(name);
      tags.add(name, tag, given);
      engines.clear(); // created again with the tag
    },
    exists(portal, name) {
      return engineFor(portal).finder.find(name) !== undefined;
    },
    templates(portal) {
      const engine = engineFor(portal);
      return engine.finder.all().map((file) => ({ file, ...engine.modeOf(file) }));
    },
    observe: (listener) => void listeners.push(listener),
    sources: (portal) => engineFor(portal).finder.sources(),
    warm: (report) => void setImmediate(runInBackground, everything(report)).unref(),
    render: (view) => hooks.render.call(view) ?? renderTemplate(view),
  };
}
