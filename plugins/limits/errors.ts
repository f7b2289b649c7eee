import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_LIMITS_TABLE: () =>
    `the table "framewright_limits" does not exist: attempts are counted by each process for itself, so that several processes allow several times as many. Run: fw generate fw:limits:install, then fw db:migrate`,
  FW_LIMITS_DATABASE: () =>
    'limits({ store: "database" }) needs a database, and no plugin provides one. Add database() to plugins.config.ts, or count in memory: limits({ store: "memory" }).',
});
