import { join } from "node:path";
import { defineGenerator, usage } from "framewright/generators";
import { accountName, pluginPathOf, writeAccount } from "../account/account.ts";
import { withRequirements } from "../account/features.ts";

const adminFeatures = [
  "login", "logout", "invitation", "reset_password", "change_password", "lockout", "active_sessions",
  "session_expiration", "password_complexity", "security_mails", "otp", "recovery_codes", "audit_logging",
]; // biome-ignore format: a list to read
const code = { login: "login({ phases: 2 })", otp: "otp({ required: true })" };

export default defineGenerator({
  name: "fw:authlib:admin",
  summary: "Create an account type for administrators: by invitation, with roles, a second factor and an audit log",
  example: "fw generate fw:authlib:admin --roles=super_admin,admin",
  args: "[name]",
  options: {
    roles: {
      summary: "From the most to the least privileged; super_admin,admin by default. Invited people get the second",
      value: "NAMES",
    },
    views: { summary: "Copy pages and mails to app/views/authlib for editing" },
  },
  directory: join(import.meta.dirname, "../account"),
  async run(context) {
    const { args, options, changes, note } = context;
    const roles = rolesOf(options.roles ?? "super_admin,admin");
    const name = accountName(args[0] ?? "admin", note);
    const exists = changes.exists(pluginPathOf(name));
    const { features } = withRequirements(exists ? [] : adminFeatures);
    const accountOptions = { features, code, isApi: false, roles, model: undefined, views: options.views === true };
    const hadModel = changes.exists(`app/models/${name}.ts`);
    const hasTables = await writeAccount(context, name, accountOptions);
    const listed = roles.map((role) => `"${role}"`).join(", ");
    if (hadModel && !exists)
      note(`app/models/${name}.ts exists already. Add to it: static override enums = { role: [${listed}] };`);
    if (exists && options.roles !== undefined)
      note(`${name} exists already. Change its roles by hand, in app/models/${name}.ts and a migration.`);
    note(next(name, hasTables, exists));
  },
});

/** @throws FW_NAME_INVALID, FW_FLAG_VALUE */
function rolesOf(text: string): string[] {
  const roles = text.split(",").map((role) => role.trim());
  const wrong = roles.find((role) => !/^[a-z][a-z0-9_]{0,49}$/.test(role));
  if (wrong !== undefined)
    throw usage.FW_NAME_INVALID(
      "a role",
      wrong,
      "use lowercase letters, digits and _, starting with a letter, as in super_admin,admin",
    );
  if (new Set(roles).size < roles.length)
    throw usage.FW_FLAG_VALUE("--roles", "different names, as in super_admin,admin");
  return roles;
}

function next(name: string, hasTables: boolean, exists: boolean): string {
  const account = name === "admin" ? "" : ` --account=${name}`;
  const lines = [
    ...(hasTables ? ["npx fw db:migrate"] : []),
    ...(exists
      ? []
      : [
          `npx fw authlib:admin:create you@example.com${account}`,
          `npx fw generate fw:pkg:portal admin --auth=${name}`,
        ]),
  ];
  return lines.length > 0 ? `\nNext:\n  ${lines.join("\n  ")}` : "";
}
