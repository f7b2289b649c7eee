import type { ResourceController } from "../controller.ts";
import { CellReader } from "./cell_value.ts";
import type { ImportContent, ImportMapping } from "./content.ts";
import { type ImportField, importFields } from "./fields.ts";

/** A column that is read, and what it is for; undefined where the person may not write that any more. */
export interface PlannedColumn {
  readonly index: number;
  readonly header: string;
  readonly name: string;
  readonly field: ImportField | undefined;
}
/** What is done with each row of a file. */
export interface ImportPlan {
  readonly mapping: ImportMapping;
  readonly columns: readonly PlannedColumn[];
  readonly key: PlannedColumn | undefined;
  readonly cells: CellReader;
}

/** By what the person may do now: since the columns were chosen that may have changed. */
export function planOf(controller: ResourceController, { headers }: ImportContent, mapping: ImportMapping): ImportPlan {
  const fields = importFields(controller);
  const columns = mapping.columns.flatMap((name, index): PlannedColumn[] =>
    name === null
      ? []
      : [{ index, header: headers[index] ?? "", name, field: fields.find((one) => one.name === name) }],
  );
  const key = mapping.key === null ? undefined : columns.find(({ name }) => name === mapping.key);
  return { mapping, columns, key, cells: new CellReader(controller) };
}
