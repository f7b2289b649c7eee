import { BoundedCache } from "framewright/host";
import {
  labelColumns,
  type ModelInfo,
  type Omission,
  OmittedColumns,
  oncePerColumns,
} from "framewright/plugins/database";
import type { ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";

/** Types of columns whose values may be long. */
const longTypes = new Set(["text", "json", "binary"]);
/** Choices of columns of one resource that are told apart. */
const MAX_CHOICES = 50;

const longColumns = oncePerColumns(({ columns }: ModelInfo) =>
  [...columns.values()].filter(({ type }) => longTypes.has(type)).map(({ name }) => name),
);

/** Long columns that one choice of a list's columns does not show: of its rows, and of what they belong to. */
class UnshownColumns implements Omission {
  readonly own: OmittedColumns | undefined;
  readonly related = new Map<string, OmittedColumns>();

  constructor({ constant, associations }: ModelInfo, unshown: readonly string[], loaded: readonly string[]) {
    this.own = unshown.length > 0 ? new OmittedColumns(constant, unshown) : undefined;
    for (const name of loaded) {
      const target = associations.get(name)?.target;
      const long = target ? longColumns(target).filter((column) => !labelColumns.includes(column)) : [];
      if (long.length > 0) this.related.set(name, new OmittedColumns(target!.constant, long));
    }
  }

  get isEmpty(): boolean {
    return this.own === undefined && this.related.size === 0;
  }
  /** Whether something read one of them. */
  get isNeeded(): boolean {
    return this.own?.isNeeded === true || [...this.related.values()].some(({ isNeeded }) => isNeeded);
  }
}

/** What a list shows: the names of its columns, those of them that are associations, and its order. */
interface ShownList {
  readonly names: readonly string[];
  readonly loaded: readonly string[];
  readonly sorts: ListRequest["sorts"];
}

/** undefined where nothing is left out. */
function unshownColumns(registration: Registration, { names, loaded, sorts }: ShownList): UnshownColumns | undefined {
  const { model } = registration;
  const unshown = longColumns(model).filter(
    (column) => !names.includes(column) && !sorts.some(({ name }) => name === column),
  );
  if (unshown.length === 0 && loaded.length === 0) return undefined;
  const known = registration.once("unshown columns", () => new BoundedCache<UnshownColumns>(MAX_CHOICES));
  const key = `${unshown.join()} ${loaded.join()}`;
  const columns = known.getOrMake(key, () => new UnshownColumns(model, unshown, loaded));
  return columns.isEmpty || columns.isNeeded ? undefined : columns;
}

/**
 * Reads and draws a list without the long columns that it does not show; where something asked a record for one, as a
 * policy may, once more with all of them, and from then on so. `draw` must not change anything.
 */
export async function withoutUnshown<T>(
  registration: Registration,
  list: ShownList,
  draw: (omitted: Omission | undefined) => Promise<T>,
): Promise<T> {
  const omitted = unshownColumns(registration, list);
  if (!omitted) return draw(undefined);
  try {
    const drawn = await draw(omitted);
    if (!omitted.isNeeded) return drawn;
  } catch (error) {
    if (!omitted.isNeeded) throw error;
  }
  return draw(undefined);
}
