import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, fwOk, newApp } from "../support.ts";

/** The key that partners bring. */
export const PARTNER_KEY = "marked-partner-key";

const portals = [
  ["customer", "--auth=user"],
  ["member", "--auth=user"],
  ["admin", "--auth=admin"],
  ["api", "--auth=api_user"],
  ["open", "--public"],
  ["partner", "--byo"],
] as const;

/** From an empty folder, by commands alone. One application is served on both databases. */
export async function generate(): Promise<string> {
  await ensureBuilt();
  const app = await newApp("shop");
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  await g("fw:authlib:install");
  await g("fw:authlib:account", "user", "--otp", "--recovery_codes", "--webauthn", "--email_auth");
  await g("fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh");
  await g("fw:authlib:admin");
  await g("fw:pkg:package", "blogging");
  await g("fw:res:scaffold", "Blogging::Post", "title:string", "body:text?", "--dest=blogging");
  return app;
}

/** A portal in each mode of S5.3; `member` gets the other mount of S4.2, by the one edit of a developer. */
export async function addPortals(app: string): Promise<void> {
  for (const [name, mode] of portals) await fwOk(app, "g", "fw:pkg:portal", name, mode);
  await fwOk(app, "db:migrate");
  const connected = portals.map(([name]) => `--dest=${name}_portal`);
  for (const dest of connected) await fwOk(app, "g", "fw:res:conn", "Blogging::Post", dest);
  const routes = join(app, "config/routes.ts");
  const written = readFileSync(routes, "utf8");
  const constrained = 'routes.constraints(authenticate("user"), (r) => r.mount(MemberPortal, { at: "/member" }));';
  if (!written.includes(constrained)) throw new Error(`the generator wrote another mount:\n${written}`);
  writeFileSync(routes, written.replace(constrained, 'routes.mount(MemberPortal, { at: "/member" });'));
}
