import type { ApplicationContext } from "./application_context.ts";
import { optionalService } from "./ports.ts";

/** Why an application should get no requests now; undefined when it may. */
export async function reasonNotReady(application: ApplicationContext): Promise<string | undefined> {
  const { kernel, allowPending, hooks } = application;
  const database = optionalService(kernel, "database");
  if (!database) return hooks.ready.promise();
  try {
    await database.ping();
    const pending = allowPending ? [] : ((await database.pendingMigrations?.()) ?? []);
    if (pending.length > 0) return `migrations have not run: ${pending.join(", ")}`;
    return database.unready ? "the tables are not known yet" : await hooks.ready.promise();
  } catch {
    return "the database does not answer";
  }
}
