import { SafeHtml } from "framewright/host";
import type { SyncBailHook } from "tapable";
import { errors } from "./errors.ts";
import type { Filter } from "./filters.ts";
import { Engine, type EngineOptions } from "./liquid_engine.ts";
import type { Way } from "./template_cache.ts";
import { directoriesFor, type ViewRoot } from "./template_finder.ts";

export interface ViewRequest {
  /** The portal whose package is looked into; none on the main application. */
  portal?: string | undefined;
  /** Tried in order; the first that exists is rendered. */
  names: readonly string[];
  /** A layout's name; left out or "none": the page stands alone. */
  layout?: string | undefined;
  locals: Record<string, unknown>;
}

export interface ViewHooks {
  /** A page is about to be rendered. Return its HTML to answer instead of the template. */
  render: SyncBailHook<[view: ViewRequest], string | undefined>;
}

/** The slot's service. */
export interface Views {
  /** Adds a folder of templates. Looked into: the application's, the portal's package, plugins, the framework. */
  addRoot(root: ViewRoot): void;
  addFilter(name: string, filter: Filter): void;
  exists(portal: string | undefined, name: string): boolean;
  /** @throws FW_VIEW_MISSING, FW_VIEW_NAME, FW_VIEW_FAILED with file and line */
  render(view: ViewRequest): string;
  /** How each template of a portal is rendered, partials apart: compiled, or by liquidjs and why. */
  templates?(portal: string | undefined): readonly TemplateWay[];
}
export type TemplateWay = { file: string } & Way;

/** A template takes about 2 ms: one a turn, so that no request waits for more than that. */
function inTurns(work: Iterator<unknown>): void {
  if (!work.next().done) setImmediate(inTurns, work).unref();
}

/** Runs a step of the background; what fails there (too many open files) is tried again when a page needs it. */
function attempt<T>(step: () => T, otherwise: T, report: (error: unknown) => void): T {
  try {
    return step();
  } catch (error) {
    report(error);
    return otherwise;
  }
}

/** The service, and `warm`: compiles what is there already, in the background; `report` hears what could not be. */
export function openViews(
  hooks: ViewHooks,
  filters: Record<string, Filter>,
  options: EngineOptions,
): Views & { warm(report: (error: unknown) => void): void } {
  const roots: ViewRoot[] = [];
  const known = new Map(Object.entries(filters));
  const engines = new Map<string, Engine>();

  const engineFor = (portal = ""): Engine => {
    const engine = engines.get(portal) ?? new Engine(directoriesFor(roots, portal || undefined), known, options);
    engines.set(portal, engine);
    engine.refresh();
    return engine;
  };

  const locate = (engine: Engine, names: readonly string[]): string => {
    for (const name of names) {
      const file = engine.finder.find(name);
      if (file !== undefined) return file;
    }
    throw errors.FW_VIEW_MISSING(names, engine.finder.candidates(names));
  };

  const renderTemplate = ({ portal, names, layout, locals }: ViewRequest): string => {
    const engine = engineFor(portal);
    const page = engine.render(locate(engine, names), locals);
    if (layout === undefined || layout === "none") return page.html;
    page.assigned.content = new SafeHtml(page.html);
    return engine.render(locate(engine, [`layouts/${layout}`]), locals, page.assigned).html;
  };

  function* everything(report: (error: unknown) => void): Iterator<unknown> {
    for (const portal of new Set([undefined, ...roots.map(({ portal: name }) => name)])) {
      const engine = engineFor(portal);
      const files = attempt(() => engine.finder.all(), [], report);
      for (const file of files) yield attempt(() => engine.wayOf(file), undefined, report);
    }
  }

  return {
    addRoot(root) {
      roots.push(root);
      engines.clear(); // made anew with the longer list
    },
    addFilter(name, filter) {
      known.set(name, filter);
      for (const engine of engines.values()) engine.addFilter(name, filter);
    },
    exists(portal, name) {
      return engineFor(portal).finder.find(name) !== undefined;
    },
    templates(portal) {
      const engine = engineFor(portal);
      return engine.finder.all().map((file) => ({ file, ...engine.wayOf(file) }));
    },
    warm: (report) => void setImmediate(inTurns, everything(report)).unref(),
    render: (view) => hooks.render.call(view) ?? renderTemplate(view),
  };
}
