import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import { Entry } from "./entry.ts";

const held = Symbol("held");
interface Holder {
  [held]?: Entry | undefined;
}

/** Gives controllers their `record`, as an accessor: a row that was found becomes a record for those who look at it. */
export function defineRecord(prototype: ResourceController): void {
  Object.defineProperty(prototype, "record", {
    configurable: true,
    get(this: Holder) {
      return this[held]?.record;
    },
    set(this: Holder, record: BaseModel | undefined) {
      this[held] = record && new Entry(record);
    },
  });
}

/** Makes an entry the record of a controller. One that has a field of this name is given the record itself. */
export function hold(controller: ResourceController, entry: Entry): void {
  if (!entry.row || Object.hasOwn(controller, "record")) controller.record = entry.record;
  else (controller as Holder)[held] = entry;
}
