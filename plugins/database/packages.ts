// knex and objection, without the parts that a server seldom or never uses.
import { type DeferredFiles, requireDeferring } from "framewright/host";

const graphs = ["InsertGraph", "InsertGraphAndFetch", "UpsertGraph", "UpsertGraphAndFetch"].map(
  (name) => [`objection/lib/queryBuilder/operations/${name}Operation.js`, [`${name}Operation`]] as const,
);
const violations = ["Unique", "NotNull", "ForeignKey", "Constraint", "Check"].map((kind) => `${kind}ViolationError`);
const objection = requireDeferring<typeof import("objection")>(import.meta.url, "objection", {
  ajv: "one", // for models with a jsonSchema
  "ajv-formats": "one",
  "db-errors": ["wrapError", "DBError", "DataError", ...violations],
  ...Object.fromEntries(graphs),
});

/** What DDL is compiled by. */
export const schemaFiles: DeferredFiles = Object.fromEntries(
  [
    "compiler",
    "tablecompiler",
    "columncompiler",
    "viewcompiler",
    "builder",
    "tablebuilder",
    "columnbuilder",
    "viewbuilder",
  ].map((name) => [`knex/lib/schema/${name}.js`, "one" as const]),
);
export const createKnex = requireDeferring<typeof import("knex").knex>(import.meta.url, "knex", {
  "knex/lib/migrations/migrate/Migrator.js": ["Migrator"],
  "knex/lib/migrations/seed/Seeder.js": "one",
  ...schemaFiles,
});

export const { Model: ObjectionModel, QueryBuilder, raw, ref } = objection;
export type ObjectionModel = import("objection").Model;
export type QueryBuilder<M extends ObjectionModel, R = M[]> = import("objection").QueryBuilder<M, R>;
