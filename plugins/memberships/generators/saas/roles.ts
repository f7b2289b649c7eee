import { type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { filesOf, resourceOf } from "../../../../generators/toolkit/index.ts";
import { managerRole } from "../../shape.ts";

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

export const managersOption = {
  managers: {
    summary: "The least role that manages members, invitations and settings; admin or manager by default, else owner",
    value: "ROLE",
  },
} as const;
const usualManagers: ReadonlySet<string> = new Set(["admin", "administrator", "manager"]);

/** Who manages the members of a portal. */
interface Management {
  portal: string;
  membership: ModelFile;
  /** The option `--managers`. */
  asked: string | undefined;
}

/**
 * The least role that manages the members of a portal: the one requested, else that of its policies, of the membership's model,
 * one that is named so, else the first. The model states it where it is not the usual one. Prints who that is, unless it was requested. @throws FW_FLAG_CHOICE
 */
export function managerOf({ app, changes, note }: GeneratorContext, { portal, membership, asked }: Management): string {
  const source = changes.read(membership.path) ?? "";
  const roles = rolesIn(source) ?? ["owner"];
  const stated = STATED.exec(source)?.[1];
  if (asked !== undefined && !roles.includes(asked)) throw usage.FW_FLAG_CHOICE("--managers", asked, roles);
  const { policy } = filesOf(resourceOf(membership.constant), portal, `${portal}/`);
  const written = app.has(policy) ? /canChangeRole\(\)[^}]*?atLeast\("(\w+)"\)/.exec(app.read(policy))?.[1] : undefined;
  const found = asked ?? written ?? stated ?? roles.find((role) => usualManagers.has(role)) ?? roles[0]!;
  if (found !== (stated ?? managerRole(roles))) changes.edit(membership.path, (text) => stating(text, found));
  if (asked === undefined) note(managersNote(portal, roles.slice(0, roles.indexOf(found) + 1)));
  return found;
}

const STATED = /\bstatic managers = "(\w+)";/;
/** The source of a membership's model, which states its managers. */
function stating(source: string, managers: string): string {
  const line = `static managers = "${managers}";`;
  if (STATED.test(source)) return source.replace(STATED, line);
  return source.replace(/^( +)static (?:override )?enums = [^;]*;\n/m, (enums, indent) => `${enums}${indent}${line}\n`);
}

const managersNote = (portal: string, managers: readonly string[]): string =>
  `${managers.join(", ")} manage${managers.length === 1 ? "s" : ""} the members, invitations and settings of ${portal}. Another least role: --managers=ROLE`;

/** The roles of a model that was written before, as its source names them; undefined where it names none. */
export function rolesIn(source: string): string[] | undefined {
  const list = /enums\s*=\s*\{[^}]*\brole:\s*\[([^\]]*)\]/.exec(source)?.[1];
  const roles = [...(list ?? "").matchAll(/["'](\w+)["']/g)].map(([, role]) => role!);
  return roles.length > 0 ? roles : undefined;
}
