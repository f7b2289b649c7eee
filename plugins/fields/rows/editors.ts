import type { BaseController } from "framewright/host";
import { addEditor } from "../editor.ts";
import type { Node } from "./node_types.ts";

/** Gives the inputs of Markdown their buttons and previews. */
export function addEditors(controller: BaseController, nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.kind === "field") addEditor(controller, node.view);
    else if (node.kind === "view") continue;
    else if (node.kind === "slot") addEditors(controller, node.node ? [node.node] : []);
    else if (node.kind === "group") addEditors(controller, node.nodes);
    else for (const row of [...node.rows, ...(node.blank ? [node.blank] : [])]) addEditors(controller, row.nodes);
  }
}
