import type { BaseModel } from "framewright/plugins/database";
import type { Entry } from "./entry.ts";

/** The record of an entry, for templates: made of its row when a template first looks at it. */
export const lateRecord = (entry: Entry): BaseModel => (entry.row ? new Proxy(entry, late) : entry.record) as BaseModel;

const late: ProxyHandler<Entry> = {
  get: ({ record }, name) => {
    const value: unknown = Reflect.get(record, name);
    return typeof value === "function" ? value.bind(record) : value;
  },
  has: ({ record }, name) => Reflect.has(record, name),
  getPrototypeOf: ({ record }) => Object.getPrototypeOf(record) as object,
  ownKeys: ({ record }) => Reflect.ownKeys(record),
  getOwnPropertyDescriptor: ({ record }, name) => Reflect.getOwnPropertyDescriptor(record, name),
};
