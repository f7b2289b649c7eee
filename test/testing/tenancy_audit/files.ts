import type { Kernel } from "framewright/kernel";
import type { ModelInfo } from "framewright/plugins/database";
import type {} from "framewright/plugins/resources";
import type { Storage, StoredFile } from "framewright/plugins/storage";
import type { Side } from "./records.ts";

type Values = Record<string, unknown>;
/** How a model keeps a file: as JSON in one column, or with a column for each part. */
type FilePlace =
  | { readonly json: string; readonly accept: readonly string[] }
  | { readonly parts: Readonly<Record<keyof StoredFile, string | undefined>> };

/** What texts of records are made of that every tenant sees. */
export const SHARED = "audit";

/** The files of the marked records: the mark of their tenant is in their names and in their bytes. */
export class MarkedFiles {
  readonly kernel: Kernel;
  readonly #keys = new Map<string, Side>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
  }

  /** What identifies the files of a tenant wherever it is shown: no address of another's file is anybody's to see. */
  names(side: Side): string[] {
    return this.keys(side).map((key) => key.slice(key.lastIndexOf("/") + 1));
  }
  keys(side: Side): string[] {
    return [...this.#keys].filter(([, whose]) => whose === side).map(([key]) => key);
  }

  /** The values of a new record that are files. */
  async valuesFor(model: ModelInfo, side: Side, mark: string): Promise<Values> {
    const values: Values = {};
    for (const place of this.#places(model)) {
      const stored = await this.#store(side, mark, "accept" in place ? place.accept : []);
      if ("json" in place) values[place.json] = stored;
      else
        for (const part of ["key", "filename", "type", "size"] as const)
          if (place.parts[part] !== undefined) values[place.parts[part]] = stored[part];
    }
    return values;
  }
  /** The same, as the table's columns have them. */
  async columnsFor(model: ModelInfo, side: Side, mark: string): Promise<Values> {
    const values = Object.entries(await this.valuesFor(model, side, mark));
    return Object.fromEntries(values.map(([name, value]) => [name, isObject(value) ? JSON.stringify(value) : value]));
  }

  /** Whether records of a model have files. */
  isIn(model: ModelInfo): boolean {
    return this.#places(model).length > 0;
  }
  async areStored(model: ModelInfo, row: Values): Promise<boolean> {
    for (const place of this.#places(model)) {
      const key = keyIn(row["json" in place ? place.json : place.parts.key!]);
      if (key === undefined || !(await this.#storage!.exists(key))) return false;
    }
    return true;
  }
  /** The files of a row are no tenant's own. */
  forget(row: Values): void {
    for (const value of Object.values(row)) this.#keys.delete(keyIn(value) ?? "");
  }

  get #storage(): Storage | undefined {
    return this.kernel.has("storage") ? this.kernel.service("storage") : undefined;
  }

  async #store(side: Side, mark: string, accept: readonly string[]): Promise<StoredFile> {
    const { name, type } = acceptedFile(accept, mark);
    const stored = await this.#storage!.put({ filename: name, type, bytes: Buffer.from(`the file of ${mark}`) });
    this.#keys.set(stored.key, side);
    return stored;
  }

  #places(model: ModelInfo): FilePlace[] {
    if (!this.#storage || !this.kernel.has("resources")) return [];
    const definitions = this.kernel.service("resources").registry.all();
    const inputs = definitions
      .filter((one) => one.model === model)
      .flatMap(({ definition }) => [...definition.inputs].filter(([, { as }]) => as === "file"));
    const declared = new Map(inputs.map(([name, { accept }]) => [name, accept ?? []] as const));
    const parts = partsOf(model);
    return [
      ...[...declared].map(([json, accept]) => ({ json, accept: accept as readonly string[] })),
      ...(parts ? [{ parts }] : []),
    ];
  }
}

/** The columns of a model whose rows are files themselves: with a key and a name. */
function partsOf({ columns }: ModelInfo): Record<keyof StoredFile, string | undefined> | undefined {
  const named = (pattern: RegExp) => [...columns.keys()].find((name) => pattern.test(name));
  const key = named(/^((file|storage|blob)_)?key$/);
  const filename = named(/^file_?name$/);
  if (key === undefined || filename === undefined) return undefined;
  return { key, filename, type: named(/^((content|mime|media)_)?type$/), size: named(/^((byte|file)_)?size$/) };
}

const types: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  csv: "text/csv",
  zip: "application/zip",
  json: "application/json",
};

/** A name and a type of a file that an input accepts, with the mark in the name. */
export function acceptedFile(accept: readonly string[], mark: string): { name: string; type: string } {
  const [first = ".txt"] = accept.map((one) => one.trim()).filter((one) => one !== "");
  const byType = Object.entries(types).find(([, type]) => type === first || type.startsWith(first.replace("*", "")));
  const extension = first.startsWith(".") ? first.slice(1).toLowerCase() : (byType?.[0] ?? "txt");
  return { name: `${mark}.${extension}`, type: types[extension] ?? "text/plain" };
}

/** The key in a column's value: the value itself, or in JSON. */
function keyIn(value: unknown): string | undefined {
  if (isObject(value)) return "key" in value ? String(value.key) : undefined;
  if (typeof value !== "string") return undefined;
  return /"key":\s*"([^"]+)"/.exec(value)?.[1] ?? (/^[\w/]{20,}$/.test(value) ? value : undefined);
}
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
