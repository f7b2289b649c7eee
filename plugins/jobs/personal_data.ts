import type { PersonalSource } from "framewright/plugins/personal_data";
import type { PayloadSealer } from "./payload_encryption.ts";
import type { JobStore } from "./store.ts";

/**
 * Jobs that are not done: those with the person's login are removed, as mails to them, and so are mails that name them; in other
 * payloads the name is replaced.
 */
export function jobSource(store: JobStore, sealer: PayloadSealer): PersonalSource {
  return {
    name: "jobs",
    async erase({ person, transaction, hasTable, anonymised }) {
      if (!hasTable("framewright_jobs") || person.names.length === 0) return;
      const names = (text: string) => anonymised(text) !== text;
      const hasLogin = (value: unknown) =>
        textsIn(value).some((text) => person.login !== "" && text.toLowerCase() === person.login.toLowerCase());
      await store.rewrite(transaction, (job) => {
        const { kind, payload } = job;
        const value = payload === null ? undefined : opened(sealer, kind, payload);
        const isNamed = textsIn(value).some(names);
        if (hasLogin(value) || (isNamed && kind === "mail")) return undefined;
        const last_error = job.last_error === null ? null : anonymised(job.last_error);
        if (!isNamed) return last_error === job.last_error ? job : { last_error };
        return { last_error, payload: sealer.seal(kind, replaced(value, anonymised) as object) };
      });
    },
  };
}

/** Undefined where the secret that sealed it is not configured any more: nobody can read it. */
function opened(sealer: PayloadSealer, kind: string, payload: string): object | undefined {
  try {
    return sealer.open(kind, payload);
  } catch {
    return undefined;
  }
}
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
function replaced(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, change)]));
}
