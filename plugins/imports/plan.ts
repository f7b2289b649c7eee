import type { TimeZone } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { CellReader } from "./cell_value.ts";
import type { ImportContent, ImportMapping } from "./content.ts";
import { type ImportField, importFields } from "./fields.ts";
import { headerZone } from "./header_zone.ts";
import type { DayOrder } from "./inspected_file.ts";

/** A column that is read, and what it is for; undefined where the person may not write that any more. */
export interface PlannedColumn {
  readonly index: number;
  readonly name: string;
  /** How days such as 3/4/2026 are read, and the zone of times where the header names one. */
  readonly days: DayOrder | undefined;
  readonly zone: TimeZone | undefined;
  readonly field: ImportField | undefined;
}
/** What is done with each row of a file. */
export interface ImportPlan {
  readonly mapping: ImportMapping;
  readonly columns: readonly PlannedColumn[];
  readonly key: PlannedColumn | undefined;
  readonly headers: readonly string[];
  readonly cells: CellReader;
  /** The attributes whose rows are lines, with what reads the cells of each. */
  readonly rows: ReadonlyMap<string, CellReader>;
}

/** By what the person may do now: since the columns were chosen that may have changed. */
export function planOf(
  controller: ResourceController,
  { headers, columns: facts }: ImportContent,
  mapping: ImportMapping,
): ImportPlan {
  const fields = importFields(controller);
  const columns = mapping.columns.flatMap((name, index): PlannedColumn[] => {
    if (name === null) return [];
    const shown = facts[index]?.days ?? null;
    const days = (shown === "unknown" ? mapping.days : shown) ?? undefined;
    const field = fields.find((one) => one.name === name);
    const zone =
      field?.attribute && !field.row ? headerZone(controller, field.attribute, headers[index] ?? "") : undefined;
    return [{ index, name, days, zone, field }];
  });
  const rows = new Map<string, CellReader>();
  for (const { field } of columns)
    if (field?.row && !rows.has(field.row.of))
      rows.set(field.row.of, new CellReader(field.row.controller as ResourceController));
  const key = mapping.key === null ? undefined : columns.find(({ name }) => name === mapping.key);
  return { mapping, columns, key, headers, cells: new CellReader(controller), rows };
}
