import { join } from "node:path";
import type { Installation, LoadGenerator } from "framewright/generators";

/** What `fw generate fw:install slugs` adds. */
export const installation: Installation = {
  name: "slugs",
  summary: "The table of former slugs, so that old addresses of renamed records redirect to the new ones",
  schema: join(import.meta.dirname, "../slug_history/schema.liquid"),
  next: ['static override slug = { from: "title", history: true }; in a model'],
  alias: "fw:slugs:install",
};

/** Generators of models and migrations, known in every application. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:model": () => import("./model/generator.ts"),
  "fw:migration": () => import("./migration/generator.ts"),
};
