import { type AssociationInfo, type BaseModel, keysTo, type ModelInfo } from "framewright/plugins/database";

/** Records that refer to those of a model, and what becomes of them when it is deleted. */
export interface Child {
  readonly model: ModelInfo;
  readonly rule: "destroy" | "nullify" | "restrict";
  readonly columns: readonly string[];
  /** The columns that are emptied where a record loses what it refers to. */
  readonly emptied: readonly string[];
  /** What their rows have that refer to a record. */
  keysTo(record: BaseModel): Readonly<Record<string, unknown>>;
}

const rules = { cascade: "destroy", "set null": "nullify", restrict: "restrict" } as const;

/** What refers to the records of a model: by what `dependent` of its associations sets, else by its foreign keys. */
export function childrenOf(info: ModelInfo, models: readonly ModelInfo[]): Child[] {
  const declared = [...info.associations.values()].flatMap((association) => ofAssociation(association) ?? []);
  const isDeclared = (model: ModelInfo, columns: readonly string[]) =>
    declared.some((one) => one.model.table === model.table && String(one.columns) === String(columns));
  const tables = new Set<string>();
  const byKey: Child[] = [];
  for (const found of models) {
    const model = found.lineage.at(-1)!;
    if (tables.has(model.table)) continue;
    tables.add(model.table);
    for (const { table, columns, to, onDelete } of model.foreignKeys) {
      if (table !== info.table || onDelete === undefined || isDeclared(model, columns)) continue;
      const emptied = columns.filter((name) => model.columns.get(name)?.nullable);
      byKey.push({
        ...{ model, rule: rules[onDelete], columns, emptied },
        keysTo: (record) => Object.fromEntries(columns.map((name, at) => [name, Reflect.get(record, to[at]!)])),
      });
    }
  }
  return [...declared, ...byKey];
}

function ofAssociation(association: AssociationInfo): Child | undefined {
  const { kind, through, dependent, target, key, emptied, of } = association;
  if (kind === "belongsTo" || through !== undefined || dependent === undefined) return undefined;
  return {
    ...{ model: target, rule: dependent, columns: key.columns },
    emptied: of ? [...emptied, of.column] : emptied,
    keysTo: (record) => keysTo(association, record),
  };
}

/** A record's key among those of all tables. */
export const idOf = (info: ModelInfo, key: unknown): string => `${info.table}/${String(key)}`;
