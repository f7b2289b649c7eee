import type { AuditEntry } from "./contract.ts";

/** The text of a key. */
export type Words = (key: string, vars?: Record<string, unknown>) => string;

/** Who made a change, as people read it: `User 1, in Checkout`. */
export function whoOf({ person, wizard, job }: Pick<AuditEntry, "person" | "wizard" | "job">, words: Words): string {
  const named = person?.replace("/", " ");
  if (job !== null) return words("audit.by_job", { job });
  const who = named ?? words("audit.nobody");
  return wizard === null ? who : words("audit.by_wizard", { who, wizard });
}

const textOrNull = (of: object, name: string): string | null => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === "string" ? value : null;
};

/** The filter `{{ line | audit_who }}`. */
export const whoFilter =
  (words: Words) =>
  (line: unknown): string => {
    if (typeof line !== "object" || line === null) return "";
    const [person, wizard, job] = [textOrNull(line, "person"), textOrNull(line, "wizard"), textOrNull(line, "job")];
    return whoOf({ person, wizard, job }, words);
  };
