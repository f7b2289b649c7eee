import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const above = dirname(dirname(import.meta.dirname));

/** The root of the framewright package, seen from its source as from its dist/. */
export const packageDirectory: string = basename(above) === "dist" ? dirname(above) : above;

/** The running code with its templates: dist/ when it was built, else the root. */
export const codeDirectory: string = above;

/** A clone of the repository rather than an installed package: it brings its tests. */
export const isClone: boolean = existsSync(join(packageDirectory, "test", "support", "run.ts"));

/** The `fw` command itself, to run again in a process of its own. */
export const fwCommand: string = join(packageDirectory, "generators", "bin", "fw.js");
