import { dirname } from "node:path";
import { FramewrightError, messageOf } from "framewright/kernel";
import { type Context, Liquid, LiquidError, type Token } from "liquidjs";
import { SafeCapture } from "./capture.ts";
import type { Rendered } from "./compiler/index.ts";
import { escaped } from "./compiler/runtime.ts";
import { PageDrop } from "./drops.ts";
import { errors } from "./errors.ts";
import { hinted } from "./filter_hints.ts";
import type { Filter, FilterScope } from "./filters.ts";
import { CompiledTemplates, type Way } from "./template_cache.ts";
import { checkName, Finder, partialName } from "./template_finder.ts";

const HELPER = /_(?:path|url)$/;

/** Filters by name; a name that ends like a path helper is looked up among the page's helpers when it runs. */
function filterTable(known: object): Record<string, unknown> {
  return new Proxy(known as Record<string, unknown>, {
    get(table, name: string) {
      if (Object.hasOwn(table, name) || !HELPER.test(name)) return Object.hasOwn(table, name) ? table[name] : undefined;
      const help = function (this: FilterScope, ...args: unknown[]) {
        return PageDrop.help((this.context as unknown as Context).globals, name, args);
      };
      return hinted(help, { helper: name });
    },
  });
}

/** liquidjs looks for views, partials and layouts in one place each: these names. The finder knows the folders. */
function fileSystem(finder: Finder, read: (file: string) => string) {
  const locate = (directory: string, name: string): string => {
    const isPartial = directory !== "view" && directory !== "layout";
    const full =
      directory === "partial" || !isPartial ? name : `${finder.nameOf(directory)}/${name.replace(/^\.\//, "")}`;
    const trimmed = full.replace(/^\//, "");
    checkName(trimmed); // before the underscore of a partial is put in
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

export interface EngineOptions {
  /** Looks for changed templates before each page. */
  watch: boolean;
  /** Makes functions of templates; otherwise liquidjs renders them all. */
  compile: boolean;
}

/** One portal's templates: parsed and compiled once, rendered in one go. */
export class Engine {
  readonly finder: Finder;
  readonly #liquid: Liquid;
  readonly #compiled: CompiledTemplates;
  readonly #partials = new Map<string, unknown>();
  readonly #watch: boolean;
  /** Which file a text was read from: not everything in liquidjs remembers it. */
  readonly #sources = new Map<string, string>();

  constructor(directories: readonly string[], filters: ReadonlyMap<string, Filter>, { watch, compile }: EngineOptions) {
    this.finder = new Finder(directories);
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
      locale: "en-US", // the same on every machine; looking for the machine's own takes 30 ms of the boot
    });
    this.#liquid.registerTag("capture", SafeCapture);
    for (const [name, filter] of filters) this.addFilter(name, filter);
    (this.#liquid as { filters: unknown }).filters = filterTable(this.#liquid.filters);
    this.#compiled = new CompiledTemplates(this.#liquid, compile);
  }

  addFilter(name: string, filter: Filter): void {
    this.#liquid.registerFilter(name, filter as never);
  }

  /**
   * Renders a file. What the template assigned or captured is handed back for the layout: a title, a row of buttons.
   * There it stands before the locals.
   */
  render(file: string, locals: Record<string, unknown>, assigned?: Record<string, unknown>): Rendered {
    try {
      return this.#template(file).render(new PageDrop(locals, assigned));
    } catch (cause) {
      throw this.#failure(file, cause);
    }
  }

  /** Whether a file is rendered as a function, or by liquidjs, and why. */
  wayOf(file: string): Way {
    try {
      return this.#template(file).way;
    } catch (cause) {
      return { compiled: false, why: messageOf(this.#failure(file, cause)) };
    }
  }

  /** In development: forgets what was parsed when a template changed. */
  refresh(): void {
    if (!this.#watch || !this.finder.changed()) return;
    this.#compiled.forget();
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
    if (typeof (cause as { status?: unknown }).status === "number") return cause as Error; // an answer, such as 404
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
