import { demodulize, lowerCamel, underscore } from "framewright/host";
import type { AssociationInfo, Hop, ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** How the records of a model belong to a tenant: table by table, to the tenant's own or to a model that says it by a scope. */
export interface Way {
  readonly hops: readonly Hop[];
  /** The model at the end that has a scope of its own; undefined: the way ends at the tenant. */
  readonly scoped: ModelInfo | undefined;
  /** The association of the model itself, when that leads there at once. */
  readonly association: AssociationInfo | undefined;
  /** Each record belongs to one tenant at most. */
  readonly exclusive: boolean;
}

/** `associatedWithOrganization`, the scope by which a model says itself how it belongs to a tenant. */
export const scopeName = ({ constant }: ModelInfo): string => `associatedWith${demodulize(constant)}`;
/** `organization`: what a tenant is called in associations and paths. */
export const entityName = ({ constant }: ModelInfo): string => underscore(demodulize(constant));

/**
 * A model's own scope, the tenant itself, an association with it, or the shortest chain of associations; of chains of
 * one length the one that stays closest to belongsTo.
 * @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS
 */
export function findWay(model: ModelInfo, entity: ModelInfo): Way {
  const own = ending(model, entity);
  if (own === "ambiguous")
    throw ambiguous(
      model,
      entity,
      direct(model, entity).map(({ name }) => name),
    );
  return own ?? search(model, entity);
}

/** The way of a model that needs no other model for it. */
function ending(model: ModelInfo, entity: ModelInfo): Way | "ambiguous" | undefined {
  if (Object.hasOwn(model.class.scopes, scopeName(entity)))
    return { hops: [], scoped: model, association: undefined, exclusive: false };
  if (model === entity) return { hops: [], scoped: undefined, association: undefined, exclusive: true };
  const [association, second] = direct(model, entity);
  if (!association) return undefined;
  if (second) return "ambiguous";
  const { hops } = association;
  return { hops, scoped: undefined, association, exclusive: hops.every(owns) };
}

/** A foreign key of the record's own leads to one record only. */
const owns = ({ to }: Hop): boolean => to.column === "id";
const direct = (model: ModelInfo, entity: ModelInfo): AssociationInfo[] =>
  [...model.associations.values()].filter((association) => association.target === entity && rank(association) < 3);

/** How firmly an association ties a record to its target; a plain hasMany does not. */
function rank({ kind, through }: AssociationInfo): number {
  if (kind === "belongsTo") return 0;
  if (kind === "hasOne") return 1;
  return through === undefined ? 3 : 2;
}

interface Trail {
  model: ModelInfo;
  names: readonly string[];
  hops: readonly Hop[];
  cost: number;
}
interface Found extends Trail {
  way: Way | "ambiguous";
}

/** Level by level, through belongsTo and hasOne. */
function search(model: ModelInfo, entity: ModelInfo): Way {
  const seen = new Set<ModelInfo>();
  let level: Trail[] = [{ model, names: [], hops: [], cost: 0 }];
  while (level.length > 0) {
    for (const { model: passed } of level) seen.add(passed);
    level = cheapest(level.flatMap(steps).filter((trail) => !seen.has(trail.model)));
    const found = level.flatMap((trail) => finished(trail, entity));
    if (found.length > 0) return best(found, model, entity);
  }
  const name = entityName(entity);
  throw errors.FW_SCOPE_PATH(model.constant, entity.constant, scopeName(entity), lowerCamel(name));
}

function steps({ model, names, hops, cost }: Trail): Trail[] {
  const onward = [...model.associations.values()].filter((association) => rank(association) < 2);
  return onward.map((association) => ({
    model: association.target,
    names: [...names, association.name],
    hops: [...hops, ...association.hops],
    cost: cost + rank(association),
  }));
}

/** The two best trails to each model: the second only matters when it is as good as the first. */
function cheapest(trails: readonly Trail[]): Trail[] {
  const kept = new Map<ModelInfo, Trail[]>();
  for (const trail of [...trails].sort((a, b) => a.cost - b.cost)) {
    const those = kept.get(trail.model) ?? [];
    if (those.length < 2) kept.set(trail.model, [...those, trail]);
  }
  return [...kept.values()].flat();
}

function finished(trail: Trail, entity: ModelInfo): Found[] {
  const way = ending(trail.model, entity);
  if (!way) return [];
  if (way === "ambiguous") return [{ ...trail, way }];
  const names = way.association ? [...trail.names, way.association.name] : trail.names;
  return [{ ...trail, names, cost: trail.cost + (way.association ? rank(way.association) : 0), way }];
}

function best(found: readonly Found[], model: ModelInfo, entity: ModelInfo): Way {
  const [first, second] = [...found].sort((a, b) => a.cost - b.cost);
  if (first!.way === "ambiguous")
    throw ambiguous(
      first!.model,
      entity,
      direct(first!.model, entity).map(({ name }) => name),
    );
  if (second?.cost === first!.cost) throw ambiguous(model, entity, [first!.names.join("."), second.names.join(".")]);
  const hops = [...first!.hops, ...first!.way.hops];
  const { scoped } = first!.way;
  return { hops, scoped, association: undefined, exclusive: scoped === undefined && hops.every(owns) };
}

const ambiguous = (model: ModelInfo, entity: ModelInfo, ways: readonly string[]) =>
  errors.FW_SCOPE_AMBIGUOUS(model.constant, entity.constant, ways, scopeName(entity), lowerCamel(entityName(entity)));
