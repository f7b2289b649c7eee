import { camelize, demodulize, moduleOf, pluralize, singularize, underscore } from "framewright/host/inflection";
import type { ColumnInfo } from "framewright/plugins/database";
import type { Entry } from "../fields/model_parts.ts";
import { firstFree, referenceName } from "./names.ts";
import type { Pulled, Target } from "./pulled.ts";

type ForeignKey = NonNullable<ColumnInfo["foreignKeys"]>[number];
/** A foreign key as an association of its model. */
export interface Reference {
  from: Pulled;
  /** The columns of the foreign key, in the order of the target's key. */
  columns: readonly ColumnInfo[];
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
  const { facts } = from;
  const found: Reference[] = [];
  const all = from.columns.flatMap(({ foreignKeys = [] }) => foreignKeys);
  for (const key of all) {
    const target = targetOf(key, targets);
    if (!target) continue;
    const columns = columnsOf(from, key, target);
    const problem = problemOf(key, columns, target);
    if (problem !== undefined) {
      const verb = key.columns.length === 1 ? "has" : "have";
      note(`${key.columns.map((column) => `${facts.name}.${column}`).join(", ")} ${verb} no association: ${problem}.`);
      continue;
    }
    const isSame = (one: Reference) =>
      one.target === target && String(one.columns.map(nameOf)) === String(columns.map(nameOf));
    const name = found.some(isSame) ? undefined : names.take(facts.name, namesFor(columns, target, all));
    if (name === undefined) continue;
    found.push({ from, columns, name, target, isUnique: isUnique(from, columns) });
  }
  return found;
}

/** What the association of a foreign key may be called; of several columns as its model, or as a column that no other foreign key has. */
function namesFor(columns: readonly ColumnInfo[], target: Target, all: readonly ForeignKey[]): string[] {
  const short = underscore(demodulize(target.constant));
  if (columns.length === 1) {
    const own = referenceName(columns[0]!.name);
    return [own, `${own}_${short}`, short, `${own}_record`];
  }
  const alone = columns.filter(({ name }) => all.filter((key) => key.columns.includes(name)).length === 1);
  const own = referenceName((alone.at(-1) ?? columns.at(-1)!).name);
  return [short, `${own}_${short}`, own, ...columns.map(({ name }) => `${referenceName(name)}_${short}`)];
}

/** Whether a record of the target is referred to once at most: the columns, or some of them, are unique. */
const isUnique = ({ key, facts }: Pulled, columns: readonly ColumnInfo[]): boolean =>
  key.length > 0 &&
  (columns.some(({ unique }) => unique) ||
    (columns.length > 1 &&
      [key, ...facts.uniques.map((index) => index.columns)].some((own) =>
        own.every((name) => columns.some((column) => column.name === name)),
      )));

const targetOf = (reference: ForeignKey, targets: readonly Target[]): Target | undefined =>
  targets.find(({ table }) => table === reference.table) ??
  targets.find(({ table }) => table.toLowerCase() === reference.table.toLowerCase());

const nameOf = ({ name }: ColumnInfo): string => name;
/** The place of a column among others, whatever its case. */
const placeOf = (name: string, columns: readonly string[]): number =>
  columns.findIndex((one) => one.toLowerCase() === name.toLowerCase());

/** The columns of a foreign key that refer to the key of its target, in that order: it may refer to more. Of another model's its own. */
function columnsOf({ columns }: Pulled, { columns: own, to }: ForeignKey, { key = to }: Target): ColumnInfo[] {
  const ordered = key.flatMap((name) => own[placeOf(name, to)] ?? []);
  return ordered.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

/** Why an association can't lead there. */
function problemOf(
  { columns: own, to }: ForeignKey,
  columns: readonly ColumnInfo[],
  { constant, key }: Target,
): string | undefined {
  if (key === undefined) return own.length > 1 ? `${constant} is a model of the application's own` : undefined;
  if (key.length === 0 || key.some((name) => placeOf(name, to) === -1))
    return `${own.length === 1 ? "it refers" : "they refer"} to ${to.join(", ")}, which is not the key of ${constant}`;
  if (columns.length !== key.length) return "the model does not read all of them";
  return columns.some(({ type }) => type === "binary") ? "it is binary" : undefined;
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

/** A foreign key as an option of an association. */
export const foreignKeyOption = (columns: readonly ColumnInfo[]): string =>
  columns.length === 1
    ? `foreignKey: ${JSON.stringify(columns[0]!.name)}`
    : `foreignKey: [${columns.map(({ name }) => JSON.stringify(name)).join(", ")}]`;

function codeBack({ from, columns, target, isUnique }: Reference, name: string, known: ReadonlySet<string>): string {
  const own = from.resource.constant;
  const conventional = camelize(isUnique ? name : singularize(name));
  const options = [
    ...(isFound(target.constant, conventional, own, known) ? [] : [`class: "${own}"`]),
    ...(columns.length === 1 && columns[0]!.name === `${underscore(demodulize(target.constant))}_id`
      ? []
      : [foreignKeyOption(columns)]),
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
    const pair = columns.flatMap(
      (column) => references.find((one) => one.columns.length === 1 && one.columns[0]!.name === column) ?? [],
    );
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
