import { demodulize, lowerCamel, underscore } from "framewright/host";
import type { AssociationInfo, Hop, ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/** The associations that lead from a model to its tenant, table by table. It ends at the tenant's table or at a model with a tenant scope. */
export interface TenantPath {
  readonly hops: readonly Hop[];
  /** The last model, where it has a tenant scope; undefined where the path ends at the tenant. */
  readonly scoped: ModelInfo | undefined;
  /** The model's own association with the tenant, where the path has one step. */
  readonly association: AssociationInfo | undefined;
  /** Whether each record belongs to at most one tenant. */
  readonly exclusive: boolean;
}

/** `associatedWithOrganization`: the scope that a model defines to state how it belongs to a tenant. */
export const scopeName = ({ constant }: ModelInfo): string => `associatedWith${demodulize(constant)}`;
/** `organization`: the tenant's name in associations and URLs. */
export const entityName = ({ constant }: ModelInfo): string => underscore(demodulize(constant));

/**
 * A model's own scope, the tenant itself, an association with it, or the shortest chain of associations; of chains of
 * one length the one that stays closest to belongsTo.
 * @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS
 */
export function findTenantPath(model: ModelInfo, entity: ModelInfo): TenantPath {
  const own = directPath(model, entity);
  if (own === "ambiguous")
    throw ambiguous(
      model,
      entity,
      associationsTo(model, entity).map(({ name }) => name),
    );
  return own ?? search(model, entity);
}

/** The path of a model that is the tenant, has a tenant scope, or has an association with the tenant. */
function directPath(model: ModelInfo, entity: ModelInfo): TenantPath | "ambiguous" | undefined {
  if (Object.hasOwn(model.class.scopes, scopeName(entity)))
    return { hops: [], scoped: model, association: undefined, exclusive: false };
  if (model === entity) return { hops: [], scoped: undefined, association: undefined, exclusive: true };
  const [association, second] = associationsTo(model, entity);
  if (!association) return undefined;
  if (second) return "ambiguous";
  const { hops } = association;
  return { hops, scoped: undefined, association, exclusive: hops.every(isForeignKey) };
}

/** A record's own foreign key leads to one record only. */
const isForeignKey = ({ toKey }: Hop): boolean => toKey === true;
const associationsTo = (model: ModelInfo, entity: ModelInfo): AssociationInfo[] =>
  [...model.associations.values()].filter((association) => association.target === entity && leads(association, 3));

/** How firmly an association ties a record to its target; a plain hasMany does not. */
function rank({ kind, through }: AssociationInfo): number {
  if (kind === "belongsTo") return 0;
  if (kind === "hasOne") return 1;
  return through === undefined ? 3 : 2;
}

/** Whether a path may follow an association that is firmer than a rank; a record of several models may belong to any of them. */
const leads = (association: AssociationInfo, below: number): boolean =>
  rank(association) < below && association.hops.every(({ of }) => of === undefined);

interface PartialPath {
  model: ModelInfo;
  names: readonly string[];
  hops: readonly Hop[];
  cost: number;
}
interface CompletePath extends PartialPath {
  path: TenantPath | "ambiguous";
}

/** Level by level, through belongsTo and hasOne. */
function search(model: ModelInfo, entity: ModelInfo): TenantPath {
  const seen = new Set<ModelInfo>();
  let level: PartialPath[] = [{ model, names: [], hops: [], cost: 0 }];
  while (level.length > 0) {
    for (const { model: passed } of level) seen.add(passed);
    level = cheapest(level.flatMap(extendPath).filter((trail) => !seen.has(trail.model)));
    const found = level.flatMap((trail) => completePaths(trail, entity));
    if (found.length > 0) return bestPath(found, model, entity);
  }
  const name = entityName(entity);
  throw errors.FW_SCOPE_PATH(model.constant, entity.constant, scopeName(entity), name, lowerCamel(name));
}

function extendPath({ model, names, hops, cost }: PartialPath): PartialPath[] {
  const onward = [...model.associations.values()].filter((association) => leads(association, 2));
  return onward.map((association) => ({
    model: association.target,
    names: [...names, association.name],
    hops: [...hops, ...association.hops],
    cost: cost + rank(association),
  }));
}

/** The two cheapest paths to each model: the second matters only where it costs the same. */
function cheapest(trails: readonly PartialPath[]): PartialPath[] {
  const kept = new Map<ModelInfo, PartialPath[]>();
  for (const trail of [...trails].sort((a, b) => a.cost - b.cost)) {
    const those = kept.get(trail.model) ?? [];
    if (those.length < 2) kept.set(trail.model, [...those, trail]);
  }
  return [...kept.values()].flat();
}

function completePaths(trail: PartialPath, entity: ModelInfo): CompletePath[] {
  const path = directPath(trail.model, entity);
  if (!path) return [];
  if (path === "ambiguous") return [{ ...trail, path }];
  const names = path.association ? [...trail.names, path.association.name] : trail.names;
  const last = path.association ? [path.association] : associationsTo(trail.model, entity);
  const cost = trail.cost + (last.length > 0 ? Math.min(...last.map(rank)) : 0); // a scope is as close as what it restates
  return [{ ...trail, names, cost, path }];
}

function bestPath(found: readonly CompletePath[], model: ModelInfo, entity: ModelInfo): TenantPath {
  const [first, second] = [...found].sort((a, b) => a.cost - b.cost);
  if (first!.path === "ambiguous")
    throw ambiguous(
      first!.model,
      entity,
      associationsTo(first!.model, entity).map(({ name }) => name),
    );
  if (second?.cost === first!.cost) throw ambiguous(model, entity, [first!.names.join("."), second.names.join(".")]);
  const hops = [...first!.hops, ...first!.path.hops];
  const { scoped } = first!.path;
  return { hops, scoped, association: undefined, exclusive: scoped === undefined && hops.every(isForeignKey) };
}

const ambiguous = (model: ModelInfo, entity: ModelInfo, paths: readonly string[]) =>
  errors.FW_SCOPE_AMBIGUOUS(
    model.constant,
    entity.constant,
    paths,
    scopeName(entity),
    entityName(entity),
    lowerCamel(entityName(entity)),
  );
