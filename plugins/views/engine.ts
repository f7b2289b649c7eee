import { dirname } from "node:path";
import { html, SafeHtml } from "framewright/host";
import { FramewrightError, messageOf } from "framewright/kernel";
import { CaptureTag, Context, Drop, Liquid, LiquidError, type Template } from "liquidjs";
import { DirectRender } from "./direct.ts";
import { errors } from "./errors.ts";
import type { Filter, FilterScope } from "./filters.ts";
import { checkName, Finder, partialName } from "./roots.ts";
import { PageDrop, printable } from "./scope.ts";

const HELPER = /_(?:path|url)$/;

/** A captured piece was escaped while it was rendered; it must not be escaped again where it is put. */
class SafeCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = yield this.liquid.renderer.renderTemplates(this.templates, context);
    (context.bottom() as Record<string, unknown>)[this.variable] = new SafeHtml(captured);
  }
}

const escapeOutput = (value: unknown): string =>
  html`${printable(value instanceof Drop ? value.valueOf() : value)}`.html;

/** Filters by name; a name that ends like a path helper is looked up among the page's helpers when it runs. */
function filterTable(known: object): Record<string, unknown> {
  return new Proxy(known as Record<string, unknown>, {
    get(table, name: string) {
      if (Object.hasOwn(table, name) || !HELPER.test(name)) return Object.hasOwn(table, name) ? table[name] : undefined;
      return function (this: FilterScope, ...args: unknown[]) {
        return PageDrop.help((this.context as unknown as Context).globals, name, args);
      };
    },
  });
}

/** liquidjs looks for views, partials and layouts in one place each: these names. The finder knows the folders. */
function fileSystem(finder: Finder) {
  const locate = (directory: string, name: string): string => {
    const isPartial = directory !== "view" && directory !== "layout";
    const full =
      directory === "partial" || !isPartial ? name : `${finder.nameOf(directory)}/${name.replace(/^\.\//, "")}`;
    const trimmed = full.replace(/^\//, "");
    checkName(trimmed);
    return finder.resolve(directory === "layout" ? `layouts/${trimmed}` : isPartial ? partialName(trimmed) : trimmed);
  };
  return {
    resolve: (directory: string, name: string) => locate(directory, name),
    existsSync: () => true,
    exists: async () => true,
    readFileSync: (file: string) => finder.read(file),
    readFile: async (file: string) => finder.read(file),
    containsSync: () => true,
    sep: "/",
    dirname,
  };
}

/** One portal's templates: parsed once, rendered in one go. */
export class Engine {
  readonly finder: Finder;
  readonly #liquid: Liquid;
  readonly #parsed = new Map<string, Template[]>();
  readonly #partials = new Map<string, unknown>();
  readonly #watch: boolean;

  constructor(directories: readonly string[], filters: ReadonlyMap<string, Filter>, watch: boolean) {
    this.finder = new Finder(directories);
    this.#watch = watch;
    this.#liquid = new Liquid({
      root: ["view"],
      partials: ["partial"],
      layouts: ["layout"],
      fs: fileSystem(this.finder),
      cache: {
        read: (key: string) => this.#partials.get(key),
        write: (key: string, value: unknown) => void this.#partials.set(key, value),
        remove: (key: string) => void this.#partials.delete(key),
      } as never,
      strictFilters: true,
      strictVariables: false,
      ownPropertyOnly: true,
      outputEscape: escapeOutput,
      jsTruthy: false,
    });
    this.#liquid.registerTag("capture", SafeCapture);
    Object.assign(this.#liquid, { renderer: new DirectRender(this.#liquid) });
    for (const [name, filter] of filters) this.addFilter(name, filter);
    (this.#liquid as { filters: unknown }).filters = filterTable(this.#liquid.filters);
  }

  addFilter(name: string, filter: Filter): void {
    this.#liquid.registerFilter(name, filter as never);
  }

  /** Renders a file. What the template assigned or captured is handed back for the layout: a title, a row of buttons. */
  render(file: string, locals: Record<string, unknown>): { html: string; assigned: Record<string, unknown> } {
    try {
      const context = new Context({}, this.#liquid.options, { globals: new PageDrop(locals), sync: true });
      const html = this.#liquid.renderSync(this.#parse(file), context) as string;
      return { html, assigned: context.bottom() as Record<string, unknown> };
    } catch (cause) {
      throw failure(file, cause);
    }
  }

  /** In development: forgets what was parsed when a template changed. */
  refresh(): void {
    if (!this.#watch || !this.finder.changed()) return;
    this.#parsed.clear();
    this.#partials.clear();
  }

  #parse(file: string): Template[] {
    let templates = this.#parsed.get(file);
    if (!templates) {
      templates = this.#liquid.parse(this.finder.read(file), file);
      this.#parsed.set(file, templates);
    }
    return templates;
  }
}

function failure(file: string, thrown: unknown): Error {
  const cause = (thrown as { originalError?: unknown }).originalError ?? thrown;
  if (typeof (cause as { status?: unknown }).status === "number") return cause as Error; // an answer, such as 404
  const failed = errors.FW_VIEW_FAILED(placeOf(file, thrown), messageOf(cause).replace(/, file:.*$|\.$/s, ""));
  failed.cause = cause instanceof FramewrightError ? cause : thrown;
  return failed;
}

function placeOf(file: string, thrown: unknown): string {
  if (!LiquidError.is(thrown)) return file;
  const token = (thrown as unknown as { token?: { file?: string; getPosition(): [number, number] } }).token;
  return token ? `${token.file ?? file}:${token.getPosition().join(":")}` : file;
}
