import type { ResourceController } from "framewright/plugins/resources";
import { guessColumns, importFields } from "./fields.ts";
import type { InspectedFile } from "./inspected_file.ts";

/** Whether rows above the headers are likely: one was passed over, or no header is one that the list knows. */
export function mayHaveTitle(
  controller: ResourceController,
  { headers, headerRow, first }: Pick<InspectedFile, "headers" | "headerRow" | "first">,
): boolean {
  if (first.length < 2) return false;
  const known = () => guessColumns(controller, headers, importFields(controller)).some((name) => name !== null);
  return first[0]!.row !== headerRow || !known();
}
