import type { Finding } from "framewright/host";
import type { ModelInfo } from "./model_info.ts";

/** What `fw doctor` prints of tables and views that models name and the database lacks. Columns beyond those that code names are fine. */
export function examineTables(models: readonly ModelInfo[]): Finding {
  const missing = models.filter(({ known, exists, pending }) => known && !exists && !pending);
  const names = missing.map(({ constant, table }) => `${constant} names "${table}"`).join(", ");
  return {
    what: "tables of models",
    ok: missing.length === 0,
    detail:
      missing.length === 0
        ? "all exist"
        : `${names}, which the database does not have. Create it in a migration, correct the name, or delete the model`,
  };
}
