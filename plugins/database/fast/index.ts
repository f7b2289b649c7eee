/**
 * The fast paths: the only file of this folder that others import. Each gives what knex and objection would give, for a
 * fraction of the CPU; where it can't, and where they are turned off (switch.ts), knex and objection are used.
 */
export { type ClientPort, onConnection, type Row, rowsOf } from "./execute.ts";
export { insertRecord, isOneInsert, needsNoTransaction } from "./insert.ts";
export { type Omission, OmittedColumns } from "./omitted_columns.ts";
export { type Build, Prepared } from "./prepared_query.ts";
export { isDirect, RowReader, type StoredRow } from "./row_reader.ts";
export { type KnexQuery, type PreparedSource, readSource } from "./source.ts";
export { isFast, turnOffFastPaths } from "./switch.ts";
export { changedRows, insertedId } from "./write_statements.ts";
