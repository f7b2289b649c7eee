import { AsyncSeriesBailHook } from "framewright/kernel";
import type { ApplicationContext } from "./application_context.ts";
import { limitedCheck } from "./health_checks.ts";
import { optionalService } from "./ports.ts";

/** Why an application should get no requests now, a line each; undefined when it may. Anybody may read it, so that it has no error's message. */
export async function reasonNotReady(application: ApplicationContext): Promise<string | undefined> {
  const { health, settings } = application;
  const [own, failures] = await Promise.all([ownReason(application), health.failures()]);
  const reasons = failures.map(({ name, detail }) => {
    const shown = settings.env === "development" ? `: ${detail}` : "";
    return `the check "${name}" failed${shown}`;
  });
  if (own !== undefined) reasons.unshift(own);
  return reasons.length > 0 ? reasons.join("\n") : undefined;
}

async function ownReason(application: ApplicationContext): Promise<string | undefined> {
  return (await databaseReason(application)) ?? (await application.hooks.ready.promise());
}

async function databaseReason({ kernel, allowPending }: ApplicationContext): Promise<string | undefined> {
  const database = optionalService(kernel, "database");
  if (!database) return undefined;
  try {
    await database.ping();
    const pending = allowPending ? [] : ((await database.pendingMigrations?.()) ?? []);
    if (pending.length > 0) return `migrations have not run: ${pending.join(", ")}`;
    return database.unready ? "the tables are not known yet" : undefined;
  } catch {
    return "the database does not answer";
  }
}

/** The hook `ready`. A tap that throws, hangs or answers with anything but a text is a reason that names its plugin. */
export function readyHook(application: ApplicationContext): AsyncSeriesBailHook<[], string | undefined> {
  const hook = new AsyncSeriesBailHook<[], string | undefined>([]);
  hook.intercept({
    register: (tap) => {
      if (tap.type === "async") return tap; // the kernel refuses it
      const run = limitedCheck(tap.fn as () => unknown);
      const fn = async () => {
        const failure = await run();
        application.health.report(`the readiness check of the plugin "${tap.name}"`, failure);
        return failure && (failure.reason ?? `the check of the plugin "${tap.name}" failed`);
      };
      return { ...tap, type: "promise", fn };
    },
  });
  return hook;
}
