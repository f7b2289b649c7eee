import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applicationRoot, type CommandContext, usage, withApp } from "framewright/generators";
import type { Application, RouteInfo } from "framewright/host";
import type {} from "framewright/plugins/authlib";
import { enterAs, membershipOf, rolesOfMembers } from "framewright/plugins/memberships";
import { portalBaseController } from "framewright/plugins/portals";
import { errors, unifiedDiff } from "../../../generators/toolkit/index.ts";
import type { Registration } from "../registration/registration.ts";
import { type PolicyAnswer, type PolicyPerson, policyReport } from "./policy_report.ts";

/** Below the application's root. */
const FILE = "config/policies.md";
const head = `# Policies

What each account may do with each resource, and which fields it reads and writes: written by \`fw policies --write\`, compared by \`fw policies --check\`.
"if record.status" means that the answer depends on what is named. Queries (\`relationScope\`) and tenants narrow further.
`;

/** Prints, writes or checks the report. Exits 1 when `--check` finds a difference. */
export default async function policies({ options }: CommandContext): Promise<void> {
  if (options.write && options.check) throw usage.FW_FLAGS_CLASH(["--write", "--check"]);
  const path = join(applicationRoot(), FILE);
  const text = await withApp({}, async (app) => report(app));
  if (options.write) return write(path, text);
  if (!options.check) return console.log(text.trimEnd());
  if (!existsSync(path)) throw errors.FW_POLICIES_MISSING(FILE);
  const before = readFileSync(path, "utf8");
  if (before === text) return console.log(`${FILE} is up to date`);
  process.stdout.write(unifiedDiff(FILE, before, text));
  throw errors.FW_POLICIES_CHANGED(FILE);
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
  console.log(`wrote ${FILE}`);
}

function report(app: Application): string {
  const routes = app.routes();
  const registrations = app.kernel.service("resources", "fw policies").registry.all();
  const owners = [...new Set(registrations.map(({ owner }) => owner))];
  const sections = owners.map((owner) => {
    const own = registrations.filter((registration) => registration.owner === owner);
    return `\n## ${owner ?? "The main application"}\n${own.map((one) => section(app, one, routes)).join("")}`;
  });
  return head + sections.join("");
}

function section(app: Application, registration: Registration, routes: readonly RouteInfo[]): string {
  const persons = personsOf(app, registration, routes);
  const { actions, fields, unknown, hiddenInLabel } = policyReport(registration, persons);
  const labels = persons.map(({ label }) => label);
  const causes = registration.policyClass.prepare
    ? "the record, the tenant, the account or what `prepare` finds"
    : "the record, the tenant or the account";
  const lists = (list: readonly string[]) => list.map((name) => name.toLowerCase()).join(", ") || "no";
  return [
    `\n### ${registration.constant}\n`,
    tableOf(
      ["Action", ...labels],
      actions.map(({ name, answers }) => [name, ...answers.map(textOf)]),
    ),
    fields.length > 0
      ? tableOf(
          ["Field", ...labels],
          fields.map((field) => [field.name, ...field.lists.map(lists)]),
        )
      : "",
    ...unknown.map(({ list, label }) => `\nThe fields of ${label} for ${list.toLowerCase()} depend on ${causes}.\n`),
    hiddenInLabel.length > 0
      ? `\nIts label is made of ${hiddenInLabel.join(", ")}, which the policy hides: its records are called "${registration.labels.one} 12". \`permittedAttributesForLabel()\` permits it.\n`
      : "",
  ].join("");
}

const textOf = (answer: PolicyAnswer): string =>
  typeof answer === "string" ? answer : `if ${answer.reads.join(", ")}`;

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return `\n${line(heads)}|${"---|".repeat(heads.length)}\n${rows.map(line).join("")}`;
}

/** The memberships by which people enter a portal. */
function membershipIn(app: Application, owner: string | undefined) {
  const engine = app.kernel.has("portals") ? app.kernel.service("portals").all.get(owner ?? "") : undefined;
  const controller = engine && portalBaseController(app, engine.path);
  return controller && membershipOf(controller);
}

/** The accounts that reach a resource, one for each role of theirs or of their membership, and guests where they are admitted. */
function personsOf(app: Application, registration: Registration, routes: readonly RouteInfo[]): PolicyPerson[] {
  const { owner, constant } = registration;
  const membership = membershipIn(app, owner);
  const own = routes.filter((route) => route.engine === owner && route.resource === constant);
  const types = app.kernel.has("auth") ? app.kernel.service("auth").types : undefined;
  const persons = [...new Set(own.map(({ account }) => account))].flatMap((name): PolicyPerson[] => {
    const model = types?.find(name)?.model.class;
    if (!model) return name === "public" ? [] : [{ label: name, user: {} }];
    if (membership)
      return rolesOfMembers(membership).map((role) => ({
        label: `${name} (${role})`,
        user: new model(),
        enter: (tenant: object) => enterAs(membership, role, tenant),
      }));
    const roles = model.enums.role ?? [];
    const one = (role: string | undefined): PolicyPerson => ({
      label: role === undefined ? name : `${name} (${role})`,
      user: Object.assign(new model(), role === undefined ? {} : { role }),
    });
    return roles.length > 0 ? roles.map(one) : [one(undefined)];
  });
  const admitsGuests = own.some(({ guests }) => guests !== "refuse");
  return admitsGuests ? [...persons, { label: "guest", user: undefined }] : persons;
}
