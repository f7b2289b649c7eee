import type { BaseController } from "framewright/host";
import { type BaseModel, type ModelInfo, RowReader, type RowsRead, type StoredRow } from "framewright/plugins/database";
import { type Attribute, isAssociation } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";

type Row = Record<string, unknown>;

/** Module-level: marks a record, and is freed with it. */
const shown = new WeakSet<BaseModel>();
/** Whether a record that another belongs to was found to be visible to the person of the request that read it. */
export const isFoundVisible = (related: BaseModel): boolean => shown.has(related);

/** Notes it of a record that was built from a row: `withoutHidden` has left the hidden ones out. */
export const noteVisible = (related: BaseModel): void => {
  shown.add(related);
};

/**
 * Removes what records belong to and the policy of the portal hides (`relationScope`): a statement for each association
 * whose policy hides records at all. The keys stay, so that what is saved keeps them.
 */
export async function hideReferences(
  controller: BaseController,
  model: ModelInfo,
  records: readonly BaseModel[],
  names: readonly string[],
): Promise<void> {
  for (const [name, targets] of scopedOf(controller, model, names))
    for (const target of targets) {
      const values = records as unknown as readonly Row[];
      const related = (row: Row) => row[name] as BaseModel | null | undefined;
      const isOf = (one: BaseModel | null | undefined): one is BaseModel => one instanceof target.class;
      const found = values.filter((row) => isOf(related(row)));
      const keyOf = (row: Row) => target.key.of(related(row)!);
      const visible = await visibleKeys(controller, target, found.map(keyOf));
      for (const row of found)
        if (visible.has(String(keyOf(row)))) shown.add(related(row)!);
        else row[name] = null;
    }
}

/** As `hideReferences`, for rows that were read. */
export function withoutHidden(controller: BaseController, model: ModelInfo, read: RowsRead) {
  const scoped = scopedOf(controller, model, [...read.related.keys()]);
  return scoped.length === 0 ? read : withoutScoped(controller, scoped, read);
}

type Scoped = [name: string, targets: readonly ModelInfo[]][];
async function withoutScoped(controller: BaseController, scoped: Scoped, read: RowsRead): Promise<RowsRead> {
  const related = new Map(read.related);
  for (const [name, [target]] of scoped) {
    const rows = related.get(name)!;
    const reader = RowReader.of(target!);
    const keys = rows.flatMap((row) => (row && reader.key(row)) ?? []);
    const visible = await visibleKeys(controller, target!, keys);
    const shown = (row: StoredRow | null) => (row && visible.has(String(reader.key(row))) ? row : null);
    related.set(name, rows.map(shown));
  }
  return { rows: read.rows, related };
}

/** Of these names the associations to one record, with the models whose policy hides records. */
function scopedOf({ request }: BaseController, model: ModelInfo, names: readonly string[]): Scoped {
  if (names.length === 0) return [];
  const scoped = request.kernel.service("resources").registry.scopedReferences(request.engine?.name, model);
  return scoped.size === 0 ? [] : [...scoped].filter(([name]) => names.includes(name));
}

async function visibleKeys(controller: BaseController, target: ModelInfo, ids: readonly unknown[]) {
  if (ids.length === 0) return new Set<string>();
  const { key } = target;
  const resources = controller.request.kernel.service("resources");
  const query = key.whereIn(resources.visible(controller as ResourceRequest, target), [...new Set(ids)] as never);
  return new Set((await query.select([...key.names])).map((record) => String(key.of(record))));
}

/**
 * The associations that names of a list lead to; also by a column that is the key of one whose policy hides records: it is
 * looked up with them, since the key of a hidden record is not shown either.
 */
export function associationsToLoad({ registration, request }: ResourceRequest, names: readonly string[]): string[] {
  const { model, definition } = registration;
  const scoped = request.kernel.service("resources").registry.scopedReferences(request.engine?.name, model);
  const isNamed = (column: string) => names.includes(column) && registration.attribute(column).isKey;
  const byKey = [...scoped.keys()].filter((name) => !names.includes(name) && model.columnsOf(name).some(isNamed));
  return [...names.filter((name) => isAssociation(model, name) && !definition.handlers.has(name)), ...byKey];
}

/** The association to a record that is hidden, which an attribute is or whose key it is; undefined where nothing of its kind is hidden. */
export function scopedReference(
  { request }: BaseController,
  model: ModelInfo,
  { name, source, isKey }: Attribute,
): { name: string; columns: readonly string[] } | undefined {
  if (source === "money" || source === "getter") return undefined;
  const scoped = request.kernel.service("resources").registry.scopedReferences(request.engine?.name, model);
  if (scoped.size === 0) return undefined;
  for (const one of scoped.keys()) {
    const columns = model.columnsOf(one);
    if (one === name || (isKey && columns.includes(name))) return { name: one, columns };
  }
  return undefined;
}
