import type { ResourceRequest } from "../request.ts";
import type { Entry } from "./entry.ts";

/** Module-level: found by a row or a record, and freed with it: the values that handlers of attributes have read, by name. */
const values = new WeakMap<object, Map<string, unknown>>();

/** The value of an attribute that a plugin serves, once it is loaded. */
export const handledValue = (of: object, name: string): unknown => values.get(of)?.get(name);

/** Reads the values of the attributes that plugins serve, of all entries at once. */
export async function loadHandled(
  controller: ResourceRequest,
  entries: readonly Entry[],
  names: readonly string[],
): Promise<void> {
  const { registration } = controller;
  if (registration.definition.handlers.size === 0 || entries.length === 0) return;
  for (const name of names) {
    const attribute = registration.definition.handlers.has(name) ? registration.attribute(name) : undefined;
    const loaded = await attribute?.handler?.load?.(entries, controller, attribute);
    loaded?.forEach((value, index) => {
      const { row, record } = entries[index]!;
      const known = values.get(row ?? record) ?? new Map<string, unknown>();
      values.set(row ?? record, known.set(name, value));
    });
  }
}
