import { readSettings } from "framewright/host";
import type { Plugin } from "framewright/kernel";
import { createEmptyDatabase } from "framewright/plugins/database";
import { connectionOf } from "./connection_of.ts";

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  remove(): Promise<void>;
}
const given = (url: string): TestDatabase => ({ url, remove: async () => undefined });

/**
 * An empty database of a test's own, beside the one that `DATABASE_URL` names; in memory without it. A driver that makes
 * none leaves the test the one that is named. @throws FW_DATABASE_EMPTY
 */
export async function emptyTestDatabase(
  root: string,
  values: Record<string, string | undefined>,
  plugins: readonly Plugin[],
): Promise<TestDatabase> {
  const { DATABASE_URL: url } = values;
  if (url === undefined || url === "") return given("sqlite::memory:");
  const hasDatabase = plugins.some((one) => (one as { provides?: string }).provides === "database");
  const connection = hasDatabase ? await connectionOf(readSettings({ root, values }), root, plugins) : undefined;
  return (connection && (await createEmptyDatabase(connection))) ?? given(url);
}
