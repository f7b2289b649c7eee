import { copyFixture } from "../support/fixtures.ts";

/** A small application without a database, for the tests that attack the host itself. */
export const attackedFiles = copyFixture("attacked");
