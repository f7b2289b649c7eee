import { type BaseModel, ModelInfo, type Problem } from "framewright/plugins/database";
import { type FieldSpec, isValues, type Node, own, targetOf } from "framewright/plugins/fields/rows";
import { labelOf, type ResourceRequest } from "framewright/plugins/resources";

/** A field of a json column that refers to a record, and its key. */
interface Reference {
  /** Its path without numbers: `lines.owner`. */
  readonly path: string;
  readonly target: ModelInfo;
  readonly key: string;
}

/** What the fields of a value refer to. */
export function referencesIn(spec: FieldSpec, value: unknown, path = spec.name): Reference[] {
  if (spec.type === "repeated" || spec.type === "group") {
    const rows = (Array.isArray(value) ? value : [value]).filter(isValues);
    return rows.flatMap((row) =>
      spec.fields.flatMap((field) => referencesIn(field, own(row, field.name), `${path}.${field.name}`)),
    );
  }
  const target = targetOf(spec);
  return target && value !== null && value !== undefined ? [{ path, target, key: String(value) }] : [];
}

/** What the records are called that values refer to, of those that the person may see: by model and key. */
export async function labelsOf(
  controller: ResourceRequest,
  references: readonly Reference[],
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (const target of new Set(references.map((one) => one.target))) {
    const keys = [...new Set(references.filter((one) => one.target === target).map(({ key }) => key))];
    const query = controller.resources.visible(controller, target);
    const found = (await target.key.whereIn(query, keys)) as BaseModel[];
    for (const record of found) labels.set(labelKey(target, ModelInfo.keyOf(record)), labelOf(controller, record));
  }
  return labels;
}
export const labelKey = ({ constant }: ModelInfo, key: unknown): string => `${constant}/${String(key)}`;

/** Problems without those of references that were stored before: they may stay, though the person may not choose them. */
export function withoutKept(
  found: Record<string, Problem[]>,
  spec: FieldSpec,
  values: unknown,
  stored: unknown,
): Record<string, Problem[]> {
  const kept = new Set(referencesIn(spec, stored).map(({ path, key }) => `${path}=${key}`));
  if (kept.size === 0) return found;
  return Object.fromEntries(
    Object.entries(found).map(([path, list]) => {
      const value = valueAt({ [spec.name]: values }, path.split("."));
      const isKept = kept.has(`${path.replaceAll(/\.\d+(?=\.)/g, "")}=${String(value)}`);
      return [path, isKept ? list.filter(({ key }) => key !== "errors.not_a_choice") : list];
    }),
  );
}
const valueAt = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  const inner = Array.isArray(value)
    ? value[Number(name)]
    : isValues(value) && name !== undefined
      ? own(value, name)
      : undefined;
  return rest.length > 0 ? valueAt(inner, rest) : inner;
};

/** Gives inputs whose record the person may not see a choice that keeps it. */
export function keepHidden(nodes: readonly Node[], label: string): void {
  for (const node of nodes) {
    if (node.kind === "group") keepHidden(node.nodes, label);
    else if (node.kind === "rows") for (const row of node.rows) keepHidden(row.nodes, label);
    else if (node.kind === "slot") keepHidden(node.node ? [node.node] : [], label);
    else if (node.kind === "field" && targetOf(node.spec)) {
      const { view } = node;
      const { value, choices = [] } = view;
      if (typeof value !== "string" || value === "" || choices.some((choice) => choice.value === value)) continue;
      view.choices = [{ value, label, selected: true }, ...choices];
    }
  }
}
