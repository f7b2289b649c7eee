import type { GeneratorContext } from "../../generator.ts";
import type { ModelFile } from "../../support/application.ts";
import { addStatic, importFrom, type StaticEdit } from "../../support/model_edits.ts";
import type { Linkable } from "../scaffold/code.ts";
import { modelParts } from "../scaffold/model_parts.ts";

/** Adds the associations, amounts, enums and validations of fields to a model; prints the entries that it has no place for. */
export function addToModel(
  { changes, note }: Pick<GeneratorContext, "changes" | "note">,
  { path }: ModelFile,
  fields: readonly Linkable[],
): void {
  const parts = modelParts(fields);
  const edits: StaticEdit[] = (["associations", "money", "enums", "validations"] as const).flatMap((list) =>
    parts[list].map((entry) => ({ list, ...entry })),
  );
  for (const edit of edits) {
    if (!addStatic(changes, path, edit))
      note(`\nLeft alone: ${edit.list} of ${path} is no object literal. Add to it: ${edit.name}: ${edit.code}`);
  }
  if (parts.associations.length > 0) importFrom(changes, path, "framewright/plugins/database", ["belongsTo"]);
}
