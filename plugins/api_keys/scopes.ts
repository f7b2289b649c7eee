/** What a scope permits of a resource. `write` includes `read`; `delete` is separate. */
export const verbs = ["read", "write", "delete"] as const;
/** One of the verbs of scopes. */
export type ScopeVerb = (typeof verbs)[number];

/** What a request needs: every verb, of one resource; or, in place of those that write, the scope of the action that it runs. */
export interface ScopeNeed {
  readonly resource: string;
  readonly verbs: readonly ScopeVerb[];
  readonly action?: string | undefined;
}

/** The most scopes of a key. */
export const MAX_SCOPES = 200;
const SCOPE = /^(\*|[a-z][a-z0-9_/]{0,199}):([a-z][a-z0-9_]{0,99})$/;

/** The resource and the verb or action of a scope; undefined for what is none. */
export function parseScope(text: string): { resource: string; verb: string } | undefined {
  const [, resource, verb] = SCOPE.exec(text) ?? [];
  return resource === undefined || verb === undefined ? undefined : { resource, verb };
}

/** Scopes as a row stores them, separated by spaces: `"posts:read posts:publish"`. */
export const writeScopes = (scopes: readonly string[]): string => [...new Set(scopes)].sort().join(" ");
/** The scopes that a row stores. */
export const readScopes = (stored: unknown): string[] => String(stored ?? "").split(/\s+/).filter(Boolean); // biome-ignore format: one thought

/** The scopes that are missing for a need; none where it is met. */
export function missingScopes(scopes: readonly string[], { resource, verbs: needed, action }: ScopeNeed): string[] {
  const has = (verb: string) => scopes.includes(`${resource}:${verb}`) || scopes.includes(`*:${verb}`);
  const isMet = (verb: ScopeVerb) => {
    if (verb !== "read" && action !== undefined && scopes.includes(`${resource}:${action}`)) return true;
    return has(verb) || (verb === "read" && has("write"));
  };
  return needed.filter((verb) => !isMet(verb)).map((verb) => `${resource}:${verb}`);
}
