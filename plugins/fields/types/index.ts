import type { Display } from "../components/displays.ts";
import type { Input } from "../components/inputs.ts";
import { choiceTypes } from "./choices.ts";
import { documentTypes } from "./documents.ts";
import type { FieldType, FieldTypeTable } from "./field_type.ts";
import { numberTypes } from "./numbers.ts";
import { textTypes } from "./texts.ts";
import { timeTypes } from "./times.ts";

const own = {
  ...{ string: textTypes.string, uuid: textTypes.uuid, text: textTypes.text, markdown: textTypes.markdown },
  ...{ json: documentTypes.json, ...numberTypes, boolean: choiceTypes.boolean, ...timeTypes },
  ...{ ...textTypes, ...choiceTypes, ...documentTypes },
} satisfies Readonly<Record<string, FieldType>>;

/** The framework's own types, which the plugin `resources` adds to the registry of each application as any other plugin does. */
export const standardTypes: FieldTypeTable = new Map<string, FieldType>(Object.entries(own));

/** The names of the types that can be entered: by an input, or as rows. */
export const inputNames = (types: FieldTypeTable): string[] =>
  [...types.entries()].flatMap(([name, { input, rows }]) => (input || rows ? name : []));

const table = <T>(part: (type: FieldType) => T | undefined): Readonly<Record<string, T>> =>
  Object.freeze(
    Object.fromEntries(
      [...standardTypes.entries()].flatMap(([name, type]) => {
        const found = part(type);
        return found === undefined ? [] : [[name, found] as const];
      }),
    ),
  );
/** The inputs of the framework's own types. Those of plugins are in `services.resources.fieldTypes`. */
export const inputs: Readonly<Record<string, Input>> = table(({ input }) => input);
/** How values of the framework's own types are shown, in a table (with `truncate`) and on a page of their own. */
export const displays: Readonly<Record<string, Display>> = table(({ display }) => display);
