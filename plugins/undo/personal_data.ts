import type { PersonalSource } from "framewright/plugins/personal_data";
import type { RowOwner } from "framewright/plugins/portals";
import type { Deletions } from "./deletions.ts";

const TABLE = "framewright_deletions";
const MAX_ROWS = 200;

/** Deletions that can be undone for some minutes: those of the person, and those of others that would bring the person back. */
export function deletionSource(deletions: Deletions): PersonalSource {
  return {
    name: "deletions",
    async erase({ person, transaction, hasTable, anonymised }) {
      if (!hasTable(TABLE)) return;
      for (let last = 0; ; ) {
        const rows = await transaction(TABLE).where("id", ">", last).orderBy("id").limit(MAX_ROWS);
        for (const row of rows as (RowOwner & { id: number; content: string; undo_key: string })[]) {
          const content = deletions.sealer.textOf(row.content, row, row.undo_key);
          const bringsBack = content !== undefined && anonymised(content) !== content;
          if (bringsBack || person.owns(row.owner_type, row.owner_id))
            await transaction(TABLE).where({ id: row.id }).delete();
        }
        if (rows.length < MAX_ROWS) return;
        last = Number((rows.at(-1) as { id: number }).id);
      }
    },
  };
}
