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
}

/** The text of a model's file. */
export const modelCode = (
  resource: Resource,
  { statics, functions, label = "", makesIds = false }: ModelCode,
): string =>
  renderTemplate(import.meta.dirname, "model.ts", {
    ...resource,
    table_text: JSON.stringify(resource.table),
    statics,
    imports: [...functions, "Model"],
    has_statics: statics.length > 0,
    has_members: statics.length > 0 || label !== "",
    label,
    makes_ids: makesIds,
  });
