import type { GeneratorContext, ModelFile } from "framewright/generators";
import { addToConfigure, filesOf, resourceOf } from "../../../../generators/toolkit/index.ts";
import { inputLine, type Linkable } from "../../../database/generators/toolkit/index.ts";

/** Declares in the definition the inputs that columns don't determine; prints those that it has no place for. */
export function addToDefinition(
  { changes, note }: Pick<GeneratorContext, "changes" | "note">,
  model: ModelFile,
  fields: readonly Linkable[],
): void {
  const { definition } = filesOf(resourceOf(model.constant), model.package);
  for (const line of fields.flatMap((field) => inputLine(field) ?? []))
    if (!addToConfigure(changes, definition, line))
      note(`\nLeft alone: ${definition}. Add to its configure(): ${line}`);
}
