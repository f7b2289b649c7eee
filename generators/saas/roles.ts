import { usage } from "../errors.ts";

export const rolesOption = {
  roles: { summary: "The roles below owner, the most privileged first; admin,member by default", value: "LIST" },
} as const;

/** The roles of a membership: `owner`, then those of the list. @throws FW_FLAG_VALUE */
export function membershipRoles(text = "admin,member"): string[] {
  const given = text.split(",").map((role) => role.trim());
  const wrong = given.find((role) => !/^[a-z][a-z0-9_]{0,49}$/.test(role));
  if (wrong !== undefined)
    throw usage.FW_FLAG_VALUE("--roles", `lower-case names with commas, as in admin,member; "${wrong}" is none`);
  if (given.includes("owner"))
    throw usage.FW_FLAG_VALUE("--roles", "the roles below owner, which always comes first and is not listed");
  if (new Set(given).size < given.length) throw usage.FW_FLAG_VALUE("--roles", "different names, as in admin,member");
  return ["owner", ...given];
}

/** The least role that manages members: the second of three or more, else the owner. */
export const managerOf = (roles: readonly string[]): string => roles[roles.length > 2 ? 1 : 0]!;

/** The roles of a model that was written before, as its source names them; undefined where it names none. */
export function rolesIn(source: string): string[] | undefined {
  const list = /enums\s*=\s*\{[^}]*\brole:\s*\[([^\]]*)\]/.exec(source)?.[1];
  const roles = [...(list ?? "").matchAll(/["'](\w+)["']/g)].map(([, role]) => role!);
  return roles.length > 0 ? roles : undefined;
}
