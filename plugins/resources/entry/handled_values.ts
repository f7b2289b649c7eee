import type { ResourceRequest } from "../request.ts";
import type { Entry } from "./entry.ts";

/** The values that handlers of attributes have read, by name, on the row or the record itself: a weak map costs each list's garbage. */
const HANDLED = Symbol("handled");
type Carrier = { [HANDLED]?: Record<string, unknown> };

/** The value of an attribute that a plugin serves, once it is loaded. */
export const handledValue = (of: object, name: string): unknown => (of as Carrier)[HANDLED]?.[name];

/** Reads the values of the attributes that plugins serve, of all entries at once. */
export function loadHandled(controller: ResourceRequest, entries: readonly Entry[], names: readonly string[]) {
  const isNeeded = controller.registration.definition.handlers.size > 0 && entries.length > 0;
  return isNeeded ? loadEach(controller, entries, names) : undefined;
}

async function loadEach(controller: ResourceRequest, entries: readonly Entry[], names: readonly string[]) {
  const { registration } = controller;
  for (const name of names) {
    const attribute = registration.definition.handlers.has(name) ? registration.attribute(name) : undefined;
    const loaded = await attribute?.handler?.load?.(entries, controller, attribute);
    loaded?.forEach((value, index) => {
      const entry = entries[index]!;
      const of = (entry.row ?? entry.record) as Carrier; // a record is created where it is read
      of[HANDLED] ??= Object.create(null) as Record<string, unknown>;
      of[HANDLED][name] = value;
    });
  }
}
