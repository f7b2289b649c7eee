import { messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";
import { ResourceDefinition } from "./definition.ts";

type Options = Record<string, unknown>;
type Method = (name: string, ...rest: unknown[]) => void;

/** The parts of definitions that have a name: where each is stored, and whether options are added to those that are there. */
const kinds = {
  action: { map: "actions", merges: true },
  input: { map: "inputs", merges: true },
  display: { map: "displays", merges: true },
  column: { map: "columns", merges: true },
  filter: { map: "filters", merges: false },
  scope: { map: "scopes", merges: false },
  section: { map: "sections", merges: false },
} as const;
type Kind = keyof typeof kinds;

/** Module-level: found by a definition, and freed with it: the plugins that added to it, by `filter place`. */
const adders = new WeakMap<ResourceDefinition, Map<string, string>>();

/** Whether a plugin added the part. */
export const isAdded = (definition: ResourceDefinition, kind: string, name: string): boolean =>
  adders.get(definition)?.has(`${kind} ${name}`) === true;

/** How errors name the one that declares a part: a plugin that added it, else the definition. */
export function declarer(definition: ResourceDefinition, kind: string, name: string): string {
  const own = definition.constructor.name;
  const plugin = adders.get(definition)?.get(`${kind} ${name}`);
  return plugin === undefined ? own : `the plugin "${plugin}", which adds to ${own},`;
}

/**
 * Lets plugins add to a definition: `add` calls their taps, and `plugin` names the one that runs. A part that another one, or
 * the application, declares otherwise is refused, and what a plugin's condition throws is named.
 * @throws FW_DEFINITION_ADDED_TWICE
 */
export function addParts(definition: ResourceDefinition, plugin: () => string | undefined, add: () => void): void {
  const owners = new Map<string, string>();
  adders.set(definition, owners);
  const own = definition as unknown as Record<string, Method>;
  for (const kind of Object.keys(kinds) as Kind[]) {
    const declare = own[kind]!.bind(definition);
    own[kind] = (name, given = {}, ...rest) => {
      const adder = plugin();
      if (adder === undefined || typeof given !== "object" || given === null) return declare(name, given, ...rest);
      checkUnclaimed(definition, { kind, name, options: given as Options, adder });
      owners.set(`${kind} ${name}`, adder);
      declare(name, withNamedCondition(given as Options, `${kind}("${name}")`, adder), ...rest);
    };
  }
  try {
    add();
  } finally {
    for (const kind of Object.keys(kinds)) delete own[kind]; // the methods of the class again
  }
}

interface Added {
  kind: Kind;
  name: string;
  options: Options;
  adder: string;
}

function checkUnclaimed(definition: ResourceDefinition, { kind, name, options, adder }: Added): void {
  const { map, merges } = kinds[kind];
  const declared = (definition[map] as ReadonlyMap<string, object>).get(name) as Options | undefined;
  const owner = adders.get(definition)?.get(`${kind} ${name}`);
  if (!declared || owner === adder) return;
  const usual = kind === "action" && owner === undefined ? standardAction(name) : undefined;
  const isOpen = (key: string) => merges && (declared[key] === undefined || declared[key] === usual?.[key]);
  const keys = Object.keys(merges ? options : { ...declared, ...options });
  if (keys.every((key) => declared[key] === options[key] || isOpen(key))) return;
  const other = owner === undefined ? `${definition.constructor.name} itself` : `the plugin "${owner}"`;
  throw errors.FW_DEFINITION_ADDED_TWICE(definition.constructor.name, `${kind}("${name}")`, adder, other, map);
}

/** The options of an action that every definition has. */
function standardAction(name: string): Options | undefined {
  const plain = new ResourceDefinition();
  plain.configure();
  return plain.actions.get(name) as unknown as Options | undefined;
}

function withNamedCondition(options: Options, part: string, adder: string): Options {
  const { condition } = options;
  if (typeof condition !== "function") return options;
  const named = (...args: unknown[]): unknown => {
    try {
      return condition.apply(options, args);
    } catch (cause) {
      if (typeof (cause as { status?: unknown } | undefined)?.status === "number") throw cause;
      throw Object.assign(errors.FW_CONDITION_FAILED(adder, part, messageOf(cause)), { cause });
    }
  };
  return { ...options, condition: named };
}
