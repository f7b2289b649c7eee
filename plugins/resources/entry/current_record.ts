import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "../request.ts";

const current = Symbol("current record");
interface HasCurrent {
  [current]?: { readonly record: BaseModel } | undefined;
}

/**
 * Makes `controller.record` lazy: the model is instantiated on first access. An accessor that is defined here, since
 * applications may declare the property anew with a type of their own.
 */
export function defineRecord(prototype: ResourceRequest): void {
  Object.defineProperty(prototype, "record", {
    configurable: true,
    get(this: HasCurrent) {
      return this[current]?.record;
    },
    set(this: HasCurrent, record: BaseModel | undefined) {
      this[current] = record && { record };
    },
  });
}

/** Makes an entry the record of a controller. One that has a field of this name is given the instance itself. */
export function setCurrentEntry(controller: ResourceRequest, entry: { readonly record: BaseModel }): void {
  if (Object.hasOwn(controller, "record")) controller.record = entry.record;
  else (controller as HasCurrent)[current] = entry;
}
