import { join } from "node:path";
import type { Installation, LoadGenerator } from "framewright/generators";

/** What `fw generate fw:install attachments` adds. */
export const installation: Installation = {
  name: "attachments",
  summary: "Give records files: the table of their attachments",
  plugins: ["storage", "attachments"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  next: ['this.files("photos") in the configure() of a definition; thumbnails: npm install sharp'],
  alias: "fw:attachments:install",
};

/** Generators of attachments, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:attachments:move": () => import("./move/generator.ts"),
};
