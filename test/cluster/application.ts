import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnv, runIn } from "../generators/production.ts";
import { ensureBuilt, fwOk, newApp } from "../generators/support.ts";
import { addFiles } from "../support/apps.ts";
import { applicationFiles } from "./application_files.ts";

/** A product as the generators write it: tenants by path, notes with a paper, a wizard, accounts and programs with tokens. */
export async function generateApplication(): Promise<string> {
  await ensureBuilt();
  const app = await newApp("shop");
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  await g("fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile", "--no_invites");
  await g("fw:res:scaffold", "Note", "title:string", "body:text", "paper:json?", "organization:belongs_to");
  await g("fw:model", "Order", "mark:string", "buyer:string", "organization:belongs_to");
  await g("fw:model", "Line", "kind:string", "mark:string");
  await g("fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh");
  await g("fw:wizards:install");
  await fwOk(app, "db:migrate");
  await g("fw:res:conn", "Note", "--dest=dashboard_portal");
  await g("fw:wizard", "Order", "--steps=what:mark,who:buyer", "--dest=dashboard_portal");
  await g("fw:res:interaction", "Note", "announce", "mark:string");
  await g("fw:deploy", "--domain=shop.test");
  addFiles(app, applicationFiles);
  edit(app, "config/routes.ts", "  // fw:mounts", '  routes.get("me", { to: "me#show" });\n  // fw:mounts');
  edit(app, "plugins.config.ts", "  passwords(),", "  passwords({ memory: 1024, iterations: 1 }),"); // what is tried is not how dear a guess is
  edit(app, "plugins.config.ts", "import { views }", `${imports}import { views }`);
  edit(
    app,
    "plugins.config.ts",
    "  wizards(),\n",
    "  wizards(),\n  redis({ sessions: true }),\n  bullmq(),\n  trail(),\n",
  );
  await runIn(app, cleanEnv({ NODE_ENV: "production" }), ["build"]);
  return app;
}

const imports = [
  'import { bullmq } from "framewright/plugins/bullmq";',
  'import { redis } from "framewright/plugins/redis";',
  'import { trail } from "./lib/trail.ts";',
  "",
].join("\n");

function edit(app: string, name: string, from: string, to: string): void {
  const file = join(app, name);
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`the generator wrote another ${name}:\n${text}`);
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
}
