import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";

// What an application gets with the framework may be used in any product: packages have permissive licences, or a reason here.

const root = join(import.meta.dirname, "../..");

const permissive = new Set(
  ["MIT", "MIT-0", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "BlueOak-1.0.0", "CC0-1.0"].concat(
    ["Python-2.0", "PSF-2.0", "Unlicense", "OFL-1.1"], // OFL: fonts
  ),
);
/** Other licences, each of the packages that it is accepted for, with the reason. */
const accepted: readonly [packages: RegExp, licence: RegExp, reason: string][] = [
  [
    /^@img\/sharp-(?:libvips-|win32-|wasm32)/,
    /^(?:Apache-2\.0 AND )?LGPL-3\.0-or-later(?: AND MIT)?$/,
    "libvips, a shared library that sharp loads; sharp is an optional peer, which an application installs by itself",
  ],
];

interface Entry {
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
type Lock = Readonly<Record<string, Entry>>;
interface Manifest {
  license?: string | { type: string };
  licenses?: readonly { type: string }[];
}

/** Where Node finds a package that a file of another one imports: the nearest node_modules. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf("node_modules/") - 1, 0))) {
    const place = `${at && `${at}/`}node_modules/${name}`;
    if (lock[place]) return place;
    if (at === "") return undefined; // an optional peer that nothing installs
  }
}
/** The paths of all packages that the framework leads to, its optional and peer dependencies included. */
function reached(lock: Lock): Set<string> {
  const found = new Set<string>([""]);
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies } = lock[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = placeOf(lock, path, name);
      if (place !== undefined) found.add(place);
    }
  }
  found.delete("");
  return found;
}
/** The licence that a package declares: where it is installed by its own package.json, else by the lock file. */
function licenceOf(lock: Lock, path: string): string {
  const file = join(root, path, "package.json");
  if (!existsSync(file)) return lock[path]!.license ?? "none"; // as the libraries of other systems
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const declared = typeof license === "object" ? license.type : license;
  return declared ?? licenses?.map(({ type }) => type).join(" OR ") ?? "none";
}
/** Whether an SPDX expression is met: one side of OR, both of AND. */
const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((side) => side.split(" AND ").every((licence) => permissive.has(licence.trim())));

const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const isAccepted = (name: string, licence: string) =>
  accepted.some(([packages, its]) => packages.test(name) && its.test(licence));

describe("Licences", (it) => {
  const { packages: lock } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Lock };
  const paths = reached(lock);

  it("Every package that an application gets has a permissive licence, or is accepted by name", () => {
    const all = [...paths].map((path) => [nameOf(path), licenceOf(lock, path)] as const);
    const refused = all.filter(([name, licence]) => !isPermissive(licence) && !isAccepted(name, licence));
    assert.equal([...new Set(refused.map(([name, licence]) => `${name}: ${licence}`))], []);
  });
  it("Production packages, optional ones and peers are among them, and packages of development are not", () => {
    const names = new Set([...paths].map(nameOf));
    for (const name of ["knex", "libsql", "@fontsource-variable/inter", "pg", "sharp"])
      assert.ok(names.has(name), name);
    for (const name of ["fastify", "@biomejs/biome", "axe-core"]) assert.not.ok(names.has(name), name);
  });
  it("A copyleft licence is refused, alone or as one of two that hold together", () => {
    for (const licence of ["GPL-3.0-only", "MIT AND LGPL-3.0-or-later", "none"]) assert.not.ok(isPermissive(licence));
    for (const licence of ["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND MIT"]) assert.ok(isPermissive(licence));
  });
  it("What is accepted by name is still needed", () => {
    for (const [packages, licence, reason] of accepted)
      assert.ok(
        [...paths].some((path) => packages.test(nameOf(path)) && licence.test(licenceOf(lock, path))),
        reason,
      );
  });
});
