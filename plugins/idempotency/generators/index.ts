import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install idempotency` adds. */
export const installation: Installation = {
  name: "idempotency",
  summary: "Let programs send a POST again without doing it twice: its table",
  plugins: ["idempotency"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
