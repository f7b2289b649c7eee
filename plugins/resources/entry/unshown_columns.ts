import { BoundedCache } from "framewright/host";
import { type ModelInfo, OmittedColumns, oncePerColumns } from "framewright/plugins/database";
import type { ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";

/** Types of columns whose values may be long. */
const longTypes = new Set(["text", "json", "binary"]);
/** Choices of columns of one resource that are told apart. */
const MAX_CHOICES = 50;

const longColumns = oncePerColumns(({ columns }: ModelInfo) =>
  [...columns.values()].filter(({ type }) => longTypes.has(type)).map(({ name }) => name),
);

/** The long columns that a list of names neither shows nor is sorted by; undefined for none, and where they are read. */
function unshownColumns(
  registration: Registration,
  names: readonly string[],
  { sorts }: ListRequest,
): OmittedColumns | undefined {
  const { model } = registration;
  const unshown = longColumns(model).filter(
    (column) => !names.includes(column) && !sorts.some(({ name }) => name === column),
  );
  if (unshown.length === 0) return undefined;
  const known = registration.once("unshown columns", () => new BoundedCache<OmittedColumns>(MAX_CHOICES));
  const omitted = known.getOrMake(unshown.join(), () => new OmittedColumns(model.constant, unshown));
  return omitted.isNeeded ? undefined : omitted;
}

/**
 * Reads and draws a list without the long columns that it does not show; where something asked a record for one, as a
 * policy may, once more with all of them, and from then on so. `draw` must not change anything.
 */
export async function withoutUnshown<T>(
  registration: Registration,
  names: readonly string[],
  list: ListRequest,
  draw: (omitted: OmittedColumns | undefined) => Promise<T>,
): Promise<T> {
  const omitted = unshownColumns(registration, names, list);
  if (!omitted) return draw(undefined);
  try {
    const drawn = await draw(omitted);
    if (!omitted.isNeeded) return drawn;
  } catch (error) {
    if (!omitted.isNeeded) throw error;
  }
  return draw(undefined);
}
