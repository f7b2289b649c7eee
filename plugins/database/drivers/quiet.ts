import type { Knex } from "knex";

/** What knex would print is thrown as well, and is logged where it is caught. */
const silent = () => undefined;
/** The logger of a driver's knex. */
export const quiet: Knex.Logger = { warn: silent, debug: silent, deprecate: silent, error: silent };
