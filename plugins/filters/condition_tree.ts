import { ListChoices, type ListRequest } from "framewright/plugins/resources/toolkit";

/** Conditions of which all, any or none are to be met. */
export type ConditionGroup = ListRequest["groups"][number];
export type Match = ConditionGroup["match"];
export type FilterValue = Parameters<ListChoices["parts"]>[1];
export type FilterField = ReturnType<ListChoices["fields"]>[number];
type Operations = Exclude<FilterValue, string>;

const SEGMENTS = /^(?:(?:all|any|none)\.(?:[1-9]\d?|new)(?:\.(?!$)|$))*$/;
/** The groups that lead to a condition: `any.1.none.2`, the second "none" in the first "any"; empty for the top, `any.new` for one that is added. */
export type Place = string;

/** A place that an address names; the top for what is none. */
export const placeOf = (given: unknown): Place => (typeof given === "string" && SEGMENTS.test(given) ? given : "");
const depthOf = (place: Place): number => (place === "" ? 0 : place.split(".").length / 2);
/** Whether a group may be added at a place. */
export const mayNest = (place: Place): boolean => depthOf(place) < ListChoices.maxDepth;

/** The groups of a group with their places. */
export function groupsAt(group: ConditionGroup, place: Place): [Place, ConditionGroup][] {
  const counts = { all: 0, any: 0, none: 0 };
  return group.groups.map((one) => {
    counts[one.match] += 1;
    return [`${place === "" ? "" : `${place}.`}${one.match}.${counts[one.match]}`, one];
  });
}

/** The group at a place; undefined where there is none. */
export function groupAt(root: ConditionGroup, place: Place): ConditionGroup | undefined {
  if (place === "") return root;
  const found = groupsAt(root, "").find(([at]) => place === at || place.startsWith(`${at}.`));
  return found && groupAt(found[1], place.slice(found[0].length + 1));
}

/** The conditions with the group at a place changed, or added; groups that are empty then are left out. */
export function changeAt(
  root: ConditionGroup,
  place: Place,
  change: (group: ConditionGroup) => ConditionGroup,
): ConditionGroup {
  if (place === "") return change(root);
  const [match, at, ...rest] = place.split(".") as [Match, string, ...string[]];
  const inner = (group: ConditionGroup) => changeAt(group, rest.join("."), change);
  const groups = groupsAt(root, "").map(([own, group]) => (own === `${match}.${at}` ? inner(group) : group));
  if (at === "new") groups.push(inner(emptyGroup(match)));
  return { ...root, groups: groups.filter((one) => one.filters.size > 0 || one.groups.length > 0) };
}
const emptyGroup = (match: Match): ConditionGroup => ({ match, filters: new Map(), groups: [] });

/** The operator that a condition is known by among those of its field. */
export function keyOf(part: FilterValue): string {
  if (typeof part === "string") return "is";
  const keys = Object.keys(part);
  return keys.includes("any") ? "any" : (keys.find((key) => key === "from" || key === "to") ? "from" : keys[0])!;
}
const keysOf = (key: string, value: Operations): string[] =>
  key === "from" ? ["from", "to"] : key === "any" && value.empty === "1" ? ["any", "empty"] : [key];

/** A group without a condition of a field. */
export function without(group: ConditionGroup, name: string, key: string): ConditionGroup {
  const filters = new Map(group.filters);
  const value = filters.get(name);
  filters.delete(name);
  if (typeof value === "object") {
    const gone = keysOf(key, value);
    const left = Object.entries(value).filter(([one]) => !gone.includes(one));
    if (left.length > 0) filters.set(name, Object.fromEntries(left) as Operations);
  }
  return { ...group, filters };
}

/** A group with a condition of a field more; beside one by the same operator it is in a group of its own. */
export function withCondition(
  group: ConditionGroup,
  { name, kind }: FilterField,
  part: Operations,
  mayAddGroup: boolean,
): ConditionGroup {
  const value = group.filters.get(name);
  const isOne = kind === "choice" || kind === "record";
  const present: Operations = typeof value === "string" ? (isOne ? { any: [value] } : { is: value }) : (value ?? {});
  const isTaken = Object.keys(part).some((key) => key in present);
  if (!isTaken || !mayAddGroup) return { ...group, filters: new Map(group.filters).set(name, { ...present, ...part }) };
  const own = { ...emptyGroup(group.match === "all" ? "all" : "any"), filters: new Map([[name, part]]) };
  return { ...group, groups: [...group.groups, own] };
}
