import type { Schema } from "../migrations/schema.ts";

/** The table of the processes that serve, and of what they read. */
export const RELEASES_TABLE = "framewright_releases";

export const createReleasesTable = (schema: Schema): Promise<void> =>
  schema.createTable(RELEASES_TABLE, (t) => {
    t.id();
    t.string("process", 64).notNull().unique();
    t.string("place").notNull();
    t.text("reads").notNull();
    t.datetime("started_at").notNull();
    t.datetime("seen_at").notNull();
  });
