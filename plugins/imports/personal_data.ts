import type { PersonalTable } from "framewright/plugins/personal_data";
import type { ImportService } from "./imports.ts";
import type { ImportRow } from "./store.ts";

/** The imports of a person, which an erasure deletes with their files, failed rows and what takes them back; their contents are encrypted. */
export const importTable = (service: ImportService): PersonalTable => ({
  name: "imports",
  table: "framewright_imports",
  shown: ["resource", "portal", "tenant", "created_at"],
  erase: "delete",
  files: (row) => {
    const { file, source } = service.content(row as unknown as ImportRow) ?? {};
    return [file, source].flatMap((one) => one?.key ?? []);
  },
  parts: ["framewright_import_failures", "framewright_import_writes"].map((table) => ({ table, column: "import_id" })),
});
