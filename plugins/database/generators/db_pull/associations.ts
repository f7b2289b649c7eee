import { camelize, demodulize, moduleOf, pluralize, singularize, underscore } from "framewright/host/inflection";
import type { ColumnInfo } from "framewright/plugins/database";
import type { Entry } from "../fields/model_parts.ts";
import { firstFree, referenceName } from "./names.ts";
import type { Pulled, Target } from "./pulled.ts";

/** A foreign key as an association of its model. */
export interface Reference {
  from: Pulled;
  column: ColumnInfo;
  name: string;
  target: Target;
  /** Whether a record is referred to once at most. */
  isUnique: boolean;
}

/** The associations of pulled models, by the tables' names. */
export interface Associations {
  references: ReadonlyMap<string, readonly Reference[]>;
  has: ReadonlyMap<string, readonly Entry[]>;
}

/** Associations from foreign keys: belongsTo, what leads back, and many-to-many over tables that join two others. */
export function associationsOf(
  pulled: readonly Pulled[],
  targets: readonly Target[],
  note: (line: string) => void,
): Associations {
  const names = new Names(pulled);
  const known = new Set(targets.map(({ constant }) => constant));
  const references = new Map(pulled.map((one) => [one.facts.name, referencesIn(one, targets, names, note)]));
  const has = new Map<string, Entry[]>(pulled.map(({ facts }) => [facts.name, []]));
  const all = [...references.values()].flat();
  const back = new Map<Reference, string>();
  for (const reference of all) {
    const entries = has.get(reference.target.table);
    if (!entries || reference.from.key.length === 0) continue;
    const name = nameBack(reference, all, names);
    if (name === undefined) continue;
    back.set(reference, name);
    entries.push({ name, code: codeBack(reference, name, known) });
  }
  for (const one of pulled)
    for (const pair of joinedBy(one, references.get(one.facts.name)!)) through(pair, { has, back, names });
  return { references, has };
}

/** The names that the members of models have, by their tables. */
class Names {
  readonly #taken: ReadonlyMap<string, Set<string>>;
  constructor(pulled: readonly Pulled[]) {
    this.#taken = new Map(pulled.map(({ facts }) => [facts.name, new Set(facts.columns.map(({ name }) => name))]));
  }
  /** Takes the first of the names that is free. */
  take(table: string, names: readonly string[]): string | undefined {
    const taken = this.#taken.get(table)!;
    const name = firstFree(names, taken);
    if (name !== undefined) taken.add(name);
    return name;
  }
}

function referencesIn(
  from: Pulled,
  targets: readonly Target[],
  names: Names,
  note: (line: string) => void,
): Reference[] {
  const { facts, columns } = from;
  const joint = new Set<string>();
  const found: Reference[] = [];
  for (const column of columns) {
    if (column.jointReference) joint.add(`${column.jointReference.columns.join(", ")} of ${facts.name}`);
    const target = targetOf(column, targets);
    if (!target) continue;
    const problem = problemOf(column, target);
    if (problem !== undefined) {
      note(`${facts.name}.${column.name} has no association: ${problem}.`);
      continue;
    }
    const own = referenceName(column.name);
    const short = underscore(demodulize(target.constant));
    const name = names.take(facts.name, [own, `${own}_${short}`, short, `${own}_record`]);
    if (name === undefined) continue;
    const isUnique = column.unique && from.key.length > 0;
    found.push({ from, column, name, target, isUnique });
  }
  for (const one of joint) note(`${one} have no association: an association has one column for its foreign key.`);
  return found;
}

const targetOf = ({ references }: ColumnInfo, targets: readonly Target[]): Target | undefined =>
  references &&
  (targets.find(({ table }) => table === references.table) ??
    targets.find(({ table }) => table.toLowerCase() === references.table.toLowerCase()));

/** Why an association can't lead there. */
function problemOf({ references, type }: ColumnInfo, { constant, key }: Target): string | undefined {
  if (key === undefined) return undefined;
  const column = references!.column;
  if (key.length !== 1) return `the records of ${constant} are not identified by one column`;
  if (key[0]!.toLowerCase() !== column.toLowerCase())
    return `it refers to ${column}, which is not the key of ${constant}`;
  return type === "binary" ? "it is binary" : undefined;
}

/** `albums`; `original_language_films` where another foreign key of the same table leads there. */
function nameBack(
  { from, name, target, isUnique }: Reference,
  all: readonly Reference[],
  names: Names,
): string | undefined {
  const single = underscore(demodulize(from.resource.constant));
  const plain = isUnique ? single : pluralize(single);
  const others = all.filter((one) => one.from === from && one.target === target);
  const isMain = others.length === 1 || name === underscore(demodulize(target.constant));
  return names.take(target.table, [...(isMain ? [plain] : []), `${name}_${plain}`, `${plain}_by_${name}`]);
}

function codeBack({ from, column, target, isUnique }: Reference, name: string, known: ReadonlySet<string>): string {
  const own = from.resource.constant;
  const conventional = camelize(isUnique ? name : singularize(name));
  const options = [
    ...(isFound(target.constant, conventional, own, known) ? [] : [`class: "${own}"`]),
    ...(column.name === `${underscore(demodulize(target.constant))}_id`
      ? []
      : [`foreignKey: ${JSON.stringify(column.name)}`]),
  ];
  return `${isUnique ? "hasOne" : "hasMany"}(${options.length > 0 ? `{ ${options.join(", ")} }` : ""})`;
}

/** Whether a name, looked for from a model's module outwards, finds the class. */
export function isFound(from: string, name: string, wanted: string, known: ReadonlySet<string>): boolean {
  for (let module = from; ; module = moduleOf(module)) {
    const constant = module === "" ? name : `${module}::${name}`;
    if (known.has(constant)) return constant === wanted;
    if (module === "") return false;
  }
}

type Pair = readonly [Reference, Reference];

/** The pairs of records that a table joins, in both directions: its key, or what is unique in it, are two foreign keys. */
function joinedBy({ key, facts }: Pulled, references: readonly Reference[]): Pair[] {
  for (const columns of [key, ...facts.uniques.map((index) => index.columns)]) {
    const pair = columns.flatMap((column) => references.find((one) => one.column.name === column) ?? []);
    const [a, b] = pair;
    if (columns.length === 2 && a && b && a !== b)
      return [
        [a, b],
        [b, a],
      ];
  }
  return [];
}

interface Joining {
  has: ReadonlyMap<string, Entry[]>;
  back: ReadonlyMap<Reference, string>;
  names: Names;
}

function through([own, other]: Pair, { has, back, names }: Joining): void {
  const over = back.get(own);
  const entries = has.get(own.target.table);
  if (over === undefined || !entries) return;
  const target = underscore(demodulize(other.target.constant));
  const plural = pluralize(target);
  const isSelf = own.target === other.target;
  const name = names.take(own.target.table, [...(isSelf ? [] : [plural]), pluralize(other.name), `${over}_${plural}`]);
  if (name === undefined) return;
  const isConventional = [name, singularize(name), pluralize(name)].includes(other.name);
  entries.push({ name, code: `hasMany({ through: "${over}"${isConventional ? "" : `, source: "${other.name}"`} })` });
}
