import type { Changes } from "./changes.ts";

/** A package.json, as far as it is read here. */
export interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}
/** Packages with their ranges. */
export type Packages = Pick<Manifest, "dependencies" | "devDependencies">;

const KINDS = ["dependencies", "devDependencies"] as const;

/** Adds packages that package.json names nowhere. Returns a sentence for each that it has in another range, which stays. */
export function addMissingPackages(changes: Changes, added: Packages): string[] {
  const notes: string[] = [];
  changes.edit("package.json", (text) => {
    const manifest = JSON.parse(text) as Manifest;
    const packages = Object.fromEntries(
      KINDS.flatMap((kind) => {
        const missing = Object.entries(added[kind] ?? {}).filter((entry) => isMissing(manifest, entry, notes));
        const all = Object.entries({ ...manifest[kind], ...Object.fromEntries(missing) });
        return missing.length > 0 ? [[kind, Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))]] : [];
      }),
    );
    return Object.keys(packages).length === 0 ? text : writeManifest(text, { ...manifest, ...packages });
  });
  return notes;
}

function isMissing(manifest: Manifest, [name, range]: [string, string], notes: string[]): boolean {
  const present = KINDS.map((kind) => manifest[kind]?.[name]).find((found) => found !== undefined);
  if (present !== undefined && present !== range)
    notes.push(`package.json keeps "${name}": "${present}"; a new application has "${range}".`);
  return present === undefined;
}

/** With the indentation that the text has. */
export function writeManifest(text: string, manifest: Manifest): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? "  ";
  return `${JSON.stringify(manifest, null, indent)}\n`;
}
