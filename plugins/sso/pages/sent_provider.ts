import type { BaseController } from "framewright/host";
import { MAX_URL, type TargetRules, targetOf } from "framewright/host/outbound";
import { grantableRoles } from "framewright/plugins/memberships";
import type { Connection, ConnectionValues, RoleOfValue } from "../contract.ts";
import { isSharedIssuer } from "../features/tenant_sso/provider_of_tenant.ts";
import { optionsOf } from "../service.ts";
import { type Place, textIn } from "./place.ts";

const MAX_ISSUER = 400;
const MAX_ROLES = 50;
const MAX_SECRET = 1000;

/** What is wrong, by field. */
export type Problems = Partial<
  Record<"issuer" | "client_id" | "secret" | "roles_claim" | "roles" | "default_role", string>
>;
export interface Sent {
  readonly values: ConnectionValues;
  /** Undefined leaves the one that is stored. */
  readonly secret: string | undefined;
  readonly problems: Problems;
  /** What the form shows again: never the secret. */
  readonly typed: ConnectionValues & { readonly roles_text: string };
}

/** The roles as lines of the form: `engineers = admin`. */
export const rolesText = (roles: readonly RoleOfValue[]): string =>
  roles.map(({ value, role }) => `${value} = ${role}`).join("\n");

/** The provider of the form. A person grants by it no more than by hand. */
export function sentProvider(
  controller: BaseController,
  place: Place,
  rules: TargetRules,
  before: Connection | undefined,
): Sent {
  const problems: Problems = {};
  const note = (field: keyof Problems, key: string, vars: Record<string, unknown> = {}) => {
    problems[field] ??= controller.t(`sso.problems.${key}`, vars);
  };
  const text = (name: string) => textIn(controller, name);
  const issuer = text("issuer");
  const issuerProblem = problemOfIssuer(issuer, rules);
  if (issuerProblem) note("issuer", issuerProblem);
  const client_id = text("client_id");
  if (!isPlain(client_id, 255)) note("client_id", "client_id");
  const secret = text("client_secret") || undefined;
  if (secret === undefined && (!before || before.issuer !== issuer || before.client_id !== client_id))
    note("secret", "secret_needed");
  if (secret !== undefined && !isPlain(secret, MAX_SECRET)) note("secret", "secret");
  const roles_claim = text("roles_claim") || null;
  if (roles_claim !== null && !isPlain(roles_claim, 100)) note("roles_claim", "roles_claim");
  const roles_text = text("roles").replaceAll("\r\n", "\n");
  const roles = rolesIn(roles_text);
  const { roles: all } = place.shape;
  // what is stored stays with its provider alone: another one could give to anybody what its owner granted
  const kept = before?.issuer === issuer && before.client_id === client_id ? before : undefined;
  const [owner] = all;
  const isGrantable = new Set(grantableRoles(all, place.role));
  if (!roles || roles.length > MAX_ROLES) note("roles", "roles", { example: `engineers = ${all.at(-1)}` });
  for (const { value, role } of roles ?? []) {
    const isStored = kept?.roles.some((one) => one.value === value && one.role === role);
    if (!all.includes(role)) note("roles", "role_unknown", { role, roles: all.join(", ") });
    else if (role === owner && !optionsOf(place.type).ownerByClaims) note("roles", "role_owner", { role });
    else if (!isStored && !isGrantable.has(role)) note("roles", "role_above", { role });
  }
  const default_role = text("default_role");
  const isKept = kept?.default_role === default_role;
  if (!all.includes(default_role) || default_role === owner) note("default_role", "default_role");
  else if (!isKept && !isGrantable.has(default_role)) note("default_role", "role_above", { role: default_role });
  const isOn = (name: string) => text(name) === "1";
  const values: ConnectionValues = {
    ...{ issuer, client_id, roles_claim, roles: roles ?? [], default_role },
    ...{ provisions: isOn("provisions"), refreshes_roles: isOn("refreshes_roles") },
  };
  return { values, secret, problems, typed: { ...values, roles_text } };
}

/** What is wrong with the text of an issuer; whether it is one shows when its configuration is read. */
function problemOfIssuer(issuer: string, rules: TargetRules): string | undefined {
  if (issuer.length > Math.min(MAX_URL, MAX_ISSUER)) return "issuer_wrong";
  const target = targetOf(issuer, rules);
  if (target === "url_private") return "issuer_private";
  if (target === "url_scheme") return "issuer_insecure";
  if (target === "url_user") return "issuer_user";
  if (typeof target === "string" || target.url.search !== "" || issuer.includes("?")) return "issuer_wrong";
  return isSharedIssuer(issuer) ? "issuer_shared" : undefined;
}

/** The lines of a list; undefined where one has no role. */
function rolesIn(text: string): RoleOfValue[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const found = lines.map((line) => {
    const at = line.lastIndexOf("=");
    return { value: line.slice(0, at).trim(), role: line.slice(at + 1).trim() };
  });
  return found.every(({ value, role }, index) => lines[index]!.includes("=") && isPlain(value, 200) && role !== "")
    ? found
    : undefined;
}
const isPlain = (text: string, most: number): boolean => text !== "" && text.length <= most && !/\p{Cc}/u.test(text);
