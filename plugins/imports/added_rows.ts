import { labelOf, type ResourceController } from "framewright/plugins/resources";
import type { AddedRows } from "./content.ts";
import type { KeepWrite } from "./row_write.ts";

/** Notes which stored records get rows beside those that they have: a file that is imported again would add all of its rows again. */
export function noteAdded(controller: ResourceController): { keep: KeepWrite; added: AddedRows[] } {
  const added: AddedRows[] = [];
  const keep: KeepWrite = async ({ earlier, rows = [] }, record, transaction) => {
    if (!earlier) return;
    for (const of of new Set(rows.map((row) => row.of))) {
      const count = rows.filter((row) => row.of === of && !row.earlier).length;
      const attribute = controller.registration.attribute(of);
      const list = attribute.handler?.rows?.(controller, attribute, record)?.controller;
      if (count === 0 || !list) continue;
      const existing = (await list.visibleRecords(transaction).resultSize()) - count;
      if (existing > 0) added.push({ of, record: labelOf(controller, record), count, existing });
    }
  };
  return { keep, added };
}
