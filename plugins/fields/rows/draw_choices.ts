import { isDynamic } from "../options.ts";
import type { FieldSource } from "../source.ts";
import { addChoices } from "../view.ts";
import type { FieldNode, Node } from "./node_types.ts";
import { declaredOf, targetOf } from "./read_value.ts";

export type SearchUrl = (path: string) => string | undefined;

/** Adds the choices that have to be looked up: of functions, and records. `searchUrl`: where those of a field are searched, by its path. */
export async function drawChoices(nodes: readonly Node[], source: FieldSource, searchUrl: SearchUrl): Promise<void> {
  for (const node of nodes) {
    if (node.kind === "field") await drawOwnChoices(node, source, searchUrl);
    else if (node.kind === "view") continue;
    else if (node.kind === "slot") await drawChoices(node.node ? [node.node] : [], source, searchUrl);
    else if (node.kind === "group") await drawChoices(node.nodes, source, searchUrl);
    else
      for (const row of [...node.rows, ...(node.blank ? [node.blank] : [])])
        await drawChoices(row.nodes, source, searchUrl);
  }
}

async function drawOwnChoices({ spec, view, path, context }: FieldNode, source: FieldSource, searchUrl: SearchUrl) {
  const [field, target] = [declaredOf(spec), targetOf(spec)];
  if (!target && typeof field.choices !== "function") return;
  const value = typeof view.value === "string" ? view.value : undefined;
  const drawn = await source.draw(field, target, { ...context, query: source.query }, value);
  addChoices(view, field, drawn, searchUrl(path));
  if (!isDynamic(field)) delete view.slot;
}
