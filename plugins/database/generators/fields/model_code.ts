import { type Resource, renderTemplate } from "../../../../generators/toolkit/index.ts";

/** The parts of a model's file. */
export interface ModelCode {
  /** The lines of its statics. */
  statics: readonly string[];
  /** What it imports of `framewright/plugins/database` besides `Model`. */
  functions: readonly string[];
  /** What `toLabel()` returns, as source code; by default it has none. */
  label?: string | undefined;
  /** Whether the statics call `randomBytes`. */
  makesIds?: boolean;
  /** The types of files that it declares, and the lines that do. */
  files?: { readonly types: readonly string[]; readonly lines: readonly string[] };
}

/** The text of a model's file. */
export const modelCode = (
  resource: Resource,
  { statics, functions, label = "", makesIds = false, files = { types: [], lines: [] } }: ModelCode,
): string =>
  renderTemplate(import.meta.dirname, "model.ts", {
    ...resource,
    table_text: JSON.stringify(resource.table),
    statics,
    imports: [...functions, "Model"],
    has_statics: statics.length > 0,
    has_members: statics.length > 0 || label !== "" || files.lines.length > 0,
    file_types: files.types,
    has_files: files.lines.length > 0,
    file_lines: files.lines,
    label,
    makes_ids: makesIds,
  });
