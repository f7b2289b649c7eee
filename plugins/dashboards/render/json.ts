import { BaseModel, type ModelClass } from "framewright/plugins/database";
import { labelOf } from "framewright/plugins/resources";
import type { CardRequest } from "../cards/load.ts";
import { columnNames, urlOf } from "./records.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a card shows, as JSON: figures as they are, records by their labels. Undefined for a template of the application. */
export function cardJson(request: CardRequest, data: unknown): unknown {
  const { card, controller } = request;
  switch (card.kind) {
    case "metric":
      return typeof data === "number" ? { value: data } : data;
    case "chart":
      return { points: Array.isArray(data) ? data : (data as { points: unknown }).points };
    case "list": {
      const { text } = card.options;
      return (data as BaseModel[]).map((record) => {
        const second = text?.(record);
        return { ...referenceOf(request, record), ...(second === undefined ? {} : { text: second }) };
      });
    }
    case "table": {
      const records = data as BaseModel[];
      const [first] = records;
      const names = first
        ? columnNames(
            controller,
            first.constructor as ModelClass,
            card.options.columns as readonly string[] | undefined,
          )
        : [];
      return records.map((record) => ({ ...referenceOf(request, record), ...valuesOf(request, record, names) }));
    }
    case "links":
    case "waiting":
      return data;
    case "custom":
      return undefined;
  }
}

function referenceOf({ controller }: CardRequest, record: BaseModel): Values {
  const url = urlOf(controller, record);
  return { id: record.$id(), label: labelOf(controller, record), ...(url === undefined ? {} : { url }) };
}

/** Plain values and the labels of what records belong to; other things are shown on pages alone. */
function valuesOf({ controller }: CardRequest, record: BaseModel, names: readonly string[]): Values {
  const own = names.flatMap((name): [string, unknown][] => {
    const value: unknown = Reflect.get(record, name);
    if (value instanceof BaseModel) return [[name, { id: value.$id(), label: labelOf(controller, value) }]];
    const isPlain = value === null || value instanceof Date || ["string", "number", "boolean"].includes(typeof value);
    return isPlain ? [[name, value]] : [];
  });
  return Object.fromEntries(own);
}
