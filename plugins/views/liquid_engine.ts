import { dirname } from "node:path";
import { FramewrightError, messageOf } from "framewright/kernel";
import { type Context, Liquid, LiquidError, type Token } from "liquidjs";
import { SafeCapture } from "./capture.ts";
import type { Rendered } from "./compiler/index.ts";
import { escaped } from "./compiler/runtime.ts";
import type { RenderMode } from "./contract.ts";
import { PageDrop } from "./drops.ts";
import { errors } from "./errors.ts";
import { withFilterHints } from "./filter_hints.ts";
import type { Filter, FilterScope } from "./filters.ts";
import { liquidTag, type Tag } from "./tags.ts";
import { TemplateCache } from "./template_cache.ts";
import { checkName, partialName, TemplateFinder } from "./template_finder.ts";

const HELPER = /_(?:path|url)$/;

/** Filters by name; a name that ends in `_path` or `_url` calls the page's path helper. */
function filterTable(known: object): Record<string, unknown> {
  return new Proxy(known as Record<string, unknown>, {
    get(table, name: string) {
      if (Object.hasOwn(table, name) || !HELPER.test(name)) return Object.hasOwn(table, name) ? table[name] : undefined;
      const help = function (this: FilterScope, ...args: unknown[]) {
        return PageDrop.callHelper((this.context as unknown as Context).globals, name, args);
      };
      return withFilterHints(help, { helper: name });
    },
  });
}

/** A file system for liquidjs with the roots "view", "partial" and "layout"; the finder maps them to the folders. */
function fileSystem(finder: TemplateFinder, read: (file: string) => string) {
  const locate = (directory: string, name: string): string => {
    const isPartial = directory !== "view" && directory !== "layout";
    const full =
      directory === "partial" || !isPartial ? name : `${finder.nameOf(directory)}/${name.replace(/^\.\//, "")}`;
    const trimmed = full.replace(/^\//, "");
    checkName(trimmed); // before the underscore of a partial is added
    return finder.resolve(directory === "layout" ? `layouts/${trimmed}` : isPartial ? partialName(trimmed) : trimmed);
  };
  return {
    resolve: (directory: string, name: string) => locate(directory, name),
    existsSync: () => true,
    exists: async () => true,
    readFileSync: read,
    readFile: async (file: string) => read(file),
    containsSync: () => true,
    sep: "/",
    dirname,
  };
}

export interface LiquidEngineOptions {
  /** Checks for changed templates before each page. */
  watch: boolean;
  /** Compiles templates to functions; otherwise liquidjs interprets them. */
  compile: boolean;
}

/** The templates of one portal: parsed and compiled once, rendered synchronously. */
export class LiquidEngine {
  readonly finder: TemplateFinder;
  readonly #liquid: Liquid;
  readonly #compiled: TemplateCache;
  readonly #partials = new Map<string, unknown>();
  readonly #watch: boolean;
  /** The file of each source text, for error positions: some tokens of liquidjs don't have it. */
  readonly #sources = new Map<string, string>();

  constructor(
    directories: readonly string[],
    filters: ReadonlyMap<string, Filter>,
    { watch, compile }: LiquidEngineOptions,
    tags: Iterable<readonly [name: string, tag: Tag]> = [],
  ) {
    this.finder = new TemplateFinder(directories);
    this.#watch = watch;
    this.#liquid = new Liquid({
      root: ["view"],
      partials: ["partial"],
      layouts: ["layout"],
      fs: fileSystem(this.finder, (file) => this.#read(file)),
      cache: {
        read: (key: string) => this.#partials.get(key),
        write: (key: string, value: unknown) => void this.#partials.set(key, value),
        remove: (key: string) => void this.#partials.delete(key),
      } as never,
      strictFilters: true,
      strictVariables: false,
      ownPropertyOnly: true,
      outputEscape: escaped,
      jsTruthy: false,
      locale: "en-US", // fixed, because detecting the machine's own takes 30 ms of the boot
    });
    this.#liquid.registerTag("capture", SafeCapture);
    for (const [name, filter] of filters) this.addFilter(name, filter);
    for (const [name, tag] of tags) this.#liquid.registerTag(name, liquidTag(name, tag));
    (this.#liquid as { filters: unknown }).filters = filterTable(this.#liquid.filters);
    this.#compiled = new TemplateCache(this.#liquid, compile);
  }

  addFilter(name: string, filter: Filter): void {
    this.#liquid.registerFilter(name, filter as never);
  }

  /**
   * Renders a file. Returns also what the template assigned or captured (a title, buttons), for the layout, where it takes
   * precedence over the locals.
   */
  render(file: string, locals: Record<string, unknown>, assigned?: Record<string, unknown>): Rendered {
    try {
      return this.#template(file).render(new PageDrop(locals, assigned));
    } catch (cause) {
      throw this.#failure(file, cause);
    }
  }

  /** Whether a file is compiled, or interpreted by liquidjs, and why. */
  modeOf(file: string): RenderMode {
    try {
      return this.#template(file).mode;
    } catch (cause) {
      return { compiled: false, why: messageOf(this.#failure(file, cause)) };
    }
  }

  /** The files that a file was compiled with. */
  partialsOf(file: string): readonly string[] {
    return this.#template(file).partials;
  }

  /** In development: clears the caches when a template has changed. */
  refresh(): void {
    if (!this.#watch || !this.finder.hasChanged()) return;
    this.#compiled.clear();
    this.#partials.clear();
    this.#sources.clear();
  }

  #template(file: string) {
    return this.#compiled.get(file, () => this.#liquid.parse(this.#read(file), file));
  }

  #read(file: string): string {
    const text = this.finder.read(file);
    this.#sources.set(text, file);
    return text;
  }

  #failure(file: string, thrown: unknown): Error {
    const cause = (thrown as { originalError?: unknown }).originalError ?? thrown;
    if (typeof (cause as { status?: unknown }).status === "number") return cause as Error; // an HttpError, such as 404
    const failed = errors.FW_VIEW_FAILED(this.#placeOf(file, thrown), messageOf(cause).replace(/, file:.*$|\.$/s, ""));
    failed.cause = cause instanceof FramewrightError ? cause : thrown;
    return failed;
  }

  #placeOf(file: string, thrown: unknown): string {
    const token = LiquidError.is(thrown) ? (thrown as unknown as { token?: Token }).token : undefined;
    if (!token) return file;
    return `${token.file ?? this.#sources.get(token.input) ?? file}:${token.getPosition().join(":")}`;
  }
}
