import { suggest } from "framewright/kernel";
import { errors } from "../errors.ts";
import { declarer } from "./added_parts.ts";
import type { ResourceDefinition } from "./definition.ts";
import type {
  FieldsetOptions,
  ResourceColumnOptions,
  ResourceFieldOptions,
  ResourceInputOptions,
  TabOptions,
} from "./definition_options.ts";

/** The names of the options of a method; the compiler holds that none is missing, and none too many. */
const namesOf = <T extends object>(options: { readonly [K in keyof Required<T>]: boolean }): ReadonlySet<string> =>
  new Set(Object.keys(options));

const common = {
  ...{ as: true, label: true, hint: true, placeholder: true, required: true, autocomplete: true, choices: true },
  ...{ tones: true, currency: true, unit: true, accept: true, range: true, maximum: true, condition: true },
} as const;
const shown = { ...common, format: true, template: true, aside: true } as const;
const ofDisplay = namesOf<ResourceFieldOptions>(shown);
const ofColumn = namesOf<ResourceColumnOptions>({ ...shown, edit: true, priority: true, total: true });
/** Those of `display` too, which `field` gives to both. */
const entered = { ...shown, default: true, addNew: true, secondary: true } as const;
const ofInput = namesOf<ResourceInputOptions & ResourceFieldOptions>(entered);
const ofFieldset = namesOf<FieldsetOptions>({ text: true, condition: true, collapsed: true, columns: true });
const ofTab = namesOf<TabOptions>({ text: true, condition: true, columns: true });

/** Refuses options that a method of definitions does not have: they would change nothing. @throws FW_DEFINITION_OPTION, FW_FIELDSET_COLUMNS */
export function checkOptionNames(definition: ResourceDefinition): void {
  const { inputs, displays, columns, fieldsets } = definition;
  const maps = [
    ["input", inputs, ofInput],
    ["display", displays, ofDisplay],
    ["column", columns, ofColumn],
  ] as const;
  for (const [method, map, known] of maps)
    for (const [name, options] of map)
      check(declarer(definition, method, name), `${method}("${name}")`, options, known);
  for (const { label, names: _, tab, ...options } of fieldsets) {
    const [name, call] = [definition.constructor.name, `${tab ? "tab" : "fieldset"}("${label}")`];
    check(name, call, options, tab ? ofTab : ofFieldset);
    const { columns } = options;
    if (columns !== undefined && ![1, 2, 3, 4].includes(columns)) throw errors.FW_FIELDSET_COLUMNS(name, call, columns);
  }
}

function check(by: string, call: string, options: object, known: ReadonlySet<string>): void {
  for (const option of Object.keys(options))
    if (!known.has(option)) throw errors.FW_DEFINITION_OPTION(by, call, option, suggest(option, [...known]));
}
