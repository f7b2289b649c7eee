import { addChoices, type FieldSource, isDynamic } from "framewright/plugins/fields";
import { declaredOf, targetOf } from "../flow/read_field.ts";
import type { FieldNode, Node } from "./node_types.ts";

/** Adds the choices that have to be looked up: of functions, and records. `url`: the step's, which searches them. */
export async function drawChoices(nodes: readonly Node[], source: FieldSource, url: string): Promise<void> {
  for (const node of nodes) {
    if (node.kind === "field") await drawOwnChoices(node, source, url);
    else if (node.kind === "slot") await drawChoices(node.node ? [node.node] : [], source, url);
    else if (node.kind === "group") await drawChoices(node.nodes, source, url);
    else for (const entry of node.entries) await drawChoices(entry.nodes, source, url);
  }
}

async function drawOwnChoices({ spec, view, path, context }: FieldNode, source: FieldSource, url: string) {
  const [field, target] = [declaredOf(spec), targetOf(spec)];
  if (!target && typeof field.choices !== "function") return;
  const value = typeof view.value === "string" ? view.value : undefined;
  const drawn = await source.draw(field, target, { ...context, query: source.query }, value);
  addChoices(view, field, drawn, `${url}?_search=${encodeURIComponent(path)}`);
  if (!isDynamic(field)) delete view.slot;
}
