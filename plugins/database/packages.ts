// knex, and objection without the packages that a server seldom or never uses.
import { requireDeferring } from "framewright/host";
import knex from "knex";

// These 111 files take 17 ms of CPU; a start with ten resources takes 280 ms on Node 26, and 455 on Node 20.
const violations = ["Unique", "NotNull", "ForeignKey", "Constraint", "Check"].map((kind) => `${kind}ViolationError`);
const objection = requireDeferring<typeof import("objection")>(import.meta.url, "objection", {
  ajv: "one", // for models with a jsonSchema
  "ajv-formats": "one",
  "db-errors": ["wrapError", "DBError", "DataError", ...violations],
});

export const createKnex = knex.knex;
export const { Model: ObjectionModel, QueryBuilder, raw, ref } = objection;
export type ObjectionModel = import("objection").Model;
export type QueryBuilder<M extends ObjectionModel, R = M[]> = import("objection").QueryBuilder<M, R>;
