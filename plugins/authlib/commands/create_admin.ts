import {
  ApplicationFiles,
  applicationRoot,
  type CommandContext,
  passwordFromStdin,
  underscore,
  usage,
  withApp,
} from "framewright/generators";
import type { Application } from "framewright/host";
import { suggest } from "framewright/kernel";

/** `fw authlib:admin:create`: a verified account, with a password from stdin or a link to set one. */
export default async function createAdmin({ args, options }: CommandContext): Promise<void> {
  const email = args[0]!.trim();
  const type = new ApplicationFiles(applicationRoot()).account(underscore(String(options.account ?? "admin")));
  const password = options.passwordStdin ? await passwordFromStdin() : undefined;
  const env = typeof options.env === "string" ? { env: options.env } : {};
  await withApp(env, async (app) => {
    const role = await roleFor(app, type, options.role as string | undefined);
    const values = { email, ...(role === undefined ? {} : { role }) };
    const auth = app.kernel.service("auth", "fw authlib:admin:create");
    const { link } = await auth.createAccount(type, values, password === undefined ? {} : { password });
    console.log(`created the ${type} ${email}${role === undefined ? "" : ` (${role})`}`);
    if (link !== undefined) console.log(`The owner can set a password here, once: ${link}`);
  });
}

/** The value of --role; else the most privileged role for the first account, as nobody else could assign it, and the second for all others. */
async function roleFor(app: Application, type: string, asked: string | undefined): Promise<string | undefined> {
  const { model } = app.kernel.service("auth", "fw authlib:admin:create").types.get(type, "fw authlib:admin:create");
  const roles = model.enums.role ?? model.columns.get("role")?.values ?? [];
  if (asked !== undefined && !roles.includes(asked))
    throw usage.FW_FLAG_CHOICE("--role", asked, roles, suggest(asked, roles));
  if (asked !== undefined || roles.length === 0) return asked;
  const database = app.kernel.service("database", "fw authlib:admin:create");
  const first = (await database.query(model.class).select("id").first()) === undefined;
  return first ? roles[0] : (roles[1] ?? roles[0]);
}
