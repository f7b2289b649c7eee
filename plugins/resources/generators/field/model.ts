import { type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import {
  addAddress,
  addMember,
  addStatic,
  importFrom,
  importTypes,
  type StaticEdit,
} from "../../../../generators/toolkit/index.ts";
import { entryLists, fileLines, type Linkable, modelParts } from "../../../database/generators/toolkit/index.ts";

/** Adds the associations, amounts, enums and validations of fields to a model; prints the entries that it has no place for. @throws FW_FIELD_SHAPE for a second slug */
export function addToModel(
  { changes, note }: Pick<GeneratorContext, "changes" | "note">,
  { path }: ModelFile,
  fields: readonly Linkable[],
): void {
  const parts = modelParts(fields);
  const edits: StaticEdit[] = entryLists.flatMap((list) => parts[list].map((entry) => ({ list, ...entry })));
  for (const edit of edits) {
    if (!addStatic(changes, path, edit))
      note(`\nLeft alone: ${edit.list} of ${path} is no object literal. Add to it: ${edit.name}: ${edit.code}`);
  }
  for (const { name, code } of parts.address.toReversed()) {
    if (!addAddress(changes, path, name, code))
      throw usage.FW_FIELD_SHAPE(
        `${parts.address[0]!.code.slice(1, -1)}:slug`,
        `${path} has another ${name} already. Remove it, or add a plain column: :string?:uniq`,
      );
  }
  for (const line of fileLines(parts).toReversed()) addMember(changes, path, line.trim());
  const types = [...new Set(parts.files.map(({ code }) => code))];
  if (types.length > 0) importTypes(changes, path, "framewright/plugins/attachments", types);
  if (parts.associations.length > 0) importFrom(changes, path, "framewright/plugins/database", ["belongsTo"]);
}
