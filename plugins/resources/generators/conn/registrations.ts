import { posix } from "node:path";
import type { Changes, ModelFile } from "framewright/generators";
import { camelize, demodulize, pathOf } from "framewright/host/inflection";
import { importPath, imports } from "../../../../generators/toolkit/index.ts";

/** The models that a portal's routes file registers, by its source text. */
export function registeredIn(path: string, text: string, models: readonly ModelFile[]): ReadonlyMap<string, string> {
  const files = importsOf(path, text);
  const named = [...text.matchAll(/\bregisterResource\(\s*(\w+)/g)].map(([, name]) => name!);
  const found = named.flatMap((name) => {
    const model = models.find((candidate) => candidate.path === files.get(name));
    return model ? [[model.constant, name] as const] : [];
  });
  return new Map(found);
}

/** Whether a resource is registered with these options, as source code. */
export function isRegisteredAs(text: string, name: string, options: string): boolean {
  const given = new RegExp(`\\bregisterResource\\(\\s*${name}\\s*(?:,\\s*(\\{[^}]*\\}))?`).exec(text)?.[1] ?? "";
  const written = (source: string) =>
    source
      .replaceAll(/\s+/g, " ")
      .replaceAll(/'/g, '"')
      .replace(/,? \}$/, " }");
  return written(given) === written(options);
}

/** How a resource is registered. */
export interface RegisterOptions {
  /** Options of `registerResource` as source code: `{ singular: true }`. */
  options?: string;
  /** At the end, below what is connected later: people and settings follow what a portal is about. */
  last?: boolean;
  /** The comment above which it is added. */
  marker?: string;
}

/** Adds `routes.registerResource(Post);` and its import. A model whose short name is taken is imported under its full name. */
export function register(
  changes: Changes,
  path: string,
  model: ModelFile,
  { options = "", last = false, marker = "fw:resources" }: RegisterOptions = {},
): void {
  const text = changes.read(path) ?? "";
  const short = demodulize(model.constant);
  const full = camelize(pathOf(model.constant).replaceAll("/", "_"));
  const known = [...importsOf(path, text)].find(([, from]) => from === model.path)?.[0];
  const name = known ?? [short, full, `${full}Model`].find((one) => !imports(text, one))!;
  if (known === undefined) changes.addImport(path, `import ${name} from "${importPath(model.path)}";`);
  const line = `routes.registerResource(${name}${options && `, ${options}`});`;
  changes.insertAbove(path, last ? undefined : marker, line);
}

/** The file of each imported name, relative to the application's root. */
function importsOf(path: string, text: string): Map<string, string> {
  const lines = text.matchAll(/^import (?:type )?(\w+) from ["']([#.][^"']+)["']/gm);
  const rooted = (from: string) => (from.startsWith("#") ? from.slice(1) : posix.join(posix.dirname(path), from));
  return new Map([...lines].map(([, name, from]) => [name!, rooted(from!)]));
}
