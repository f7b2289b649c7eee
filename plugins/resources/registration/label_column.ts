import { labelColumns, type ModelInfo } from "framewright/plugins/database";
import { hasStandardLabel, labelReads } from "../entry/label_reads.ts";

/** The column that people know a record by, which a search looks in: the first text that its label reads. */
export function labelColumn(model: ModelInfo): string | undefined {
  const { columns, encrypted } = model;
  const read = hasStandardLabel(model) ? [] : [...(labelReads(model).reads?.own ?? [])];
  const texts = read.filter((name) => ["string", "text"].includes(columns.get(name)?.type ?? ""));
  return [...texts, ...labelColumns].find((name) => columns.has(name) && !encrypted.has(name));
}
