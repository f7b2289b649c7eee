import { createWriteStream } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApplicationFiles, applicationRoot, type CommandContext, underscore, withApp } from "framewright/generators";
import type { Application } from "framewright/host";
import { exportName } from "../account_page.ts";
import { errors } from "../errors.ts";

/** `fw authlib:user:export <login>` and `fw authlib:user:erase <login>`. */
export default async function person({ argv: [name = ""], args, options }: CommandContext): Promise<void> {
  const type = new ApplicationFiles(applicationRoot()).account(underscore(String(options.account ?? "user")));
  const login = args[0]!.trim();
  const isErasure = name.endsWith(":erase");
  if (isErasure && options.yes !== true) throw errors.FW_PERSONAL_CONFIRM(login, `fw ${name} ${login}`);
  await withApp(typeof options.env === "string" ? { env: options.env } : {}, async (app) => {
    const by = { actor: `fw ${name}` };
    if (!isErasure) return console.log(await exportTo(app, { type, login, by, options }));
    const { rows } = await app.kernel.service("personal_data", `fw ${name}`).erase(type, login, by);
    console.log(
      `erased ${login}: ${Object.entries(rows)
        .map(([model, count]) => `${model} ${count}`)
        .join(", ")}`,
    );
  });
}

interface Export {
  readonly type: string;
  readonly login: string;
  readonly by: { readonly actor: string };
  readonly options: CommandContext["options"];
}

/** Writes the file beside its place first, so that there is a whole one or none; returns its path. @throws FW_PERSONAL_FILE */
async function exportTo(app: Application, { type, login, by, options }: Export): Promise<string> {
  const service = app.kernel.service("personal_data", "fw authlib:user:export");
  const account = await app.kernel.service("auth", "fw authlib:user:export").accounts(type).find(login);
  const path = resolve(
    options.out === undefined ? exportName(type, (account as { id: number }).id) : String(options.out),
  );
  const part = `${path}.${process.pid}.part`;
  try {
    await pipeline(
      Readable.from(service.export(type, login, by)),
      createWriteStream(part, { flags: "wx", mode: 0o600 }),
    );
    if (options.force === true) await rename(part, path);
    else await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw errors.FW_PERSONAL_FILE(path);
    throw error;
  } finally {
    await rm(part, { force: true });
  }
  return path;
}
