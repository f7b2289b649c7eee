import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitOf } from "../../support/processes.ts";
import { ensureBuilt, fw, fwOk, newApp } from "../support.ts";

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
  await g("fw:authlib:admin", "--views");
  await g("fw:pkg:package", "blogging");
  await g("fw:res:scaffold", "Blogging::Post", "title:string", "body:text?", "--dest=blogging");
  return app;
}

/** A portal in each mode of authentication; the public one by the answer to the question, where a terminal can be had. */
export async function addPortals(app: string): Promise<void> {
  for (const [name, mode] of portals) {
    if (mode === "--public" && hasTerminal) await answerAtTerminal(app, name);
    else await fwOk(app, "g", "fw:pkg:portal", name, mode);
  }
  await fwOk(app, "db:migrate");
}

/** The resource, in a portal of each kind. */
export async function connect(app: string): Promise<void> {
  for (const name of ["customer", "api", "open", "partner"])
    await fwOk(app, "g", "fw:res:conn", "Blogging::Post", `--dest=${name}_portal`, "--open");
}

/** What a developer edits: `member` is mounted without a constraint, administrators see pages of their own. */
export function editByHand(app: string): void {
  const mark = (name: string, text: string) => appendFileSync(join(app, `app/views/authlib/${name}.liquid`), text);
  mark("admin/login", "<p>Our own login</p>");
  mark("admin/_head", "<p>Our own head</p>");
  mark("admin_mailer/invitation_text", "Our own invitation");
  edit(
    join(app, "config/routes.ts"),
    'routes.constraints(authenticate("user"), (r) => r.mount(MemberPortal, { at: "/member" }));',
    'routes.mount(MemberPortal, { at: "/member" });',
  );
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`the generator wrote something else:\n${text}`);
  writeFileSync(file, text.replace(from, to));
}

const hasTerminal = process.platform === "linux" && existsSync("/usr/bin/script");

/** Makes a portal without a flag: `script` lends a terminal, at which the second answer is chosen. */
async function answerAtTerminal(cwd: string, name: string): Promise<void> {
  const command = `stty cols 100 rows 30; ${process.execPath} ${fw} g fw:pkg:portal ${name}`;
  const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const wasAsked = output.includes("Without authentication");
    output += chunk;
    if (!wasAsked && output.includes("Without authentication")) child.stdin.write("\u001b[B\r");
  });
  const code = await exitOf(child);
  if (code !== 0) throw new Error(`fw g fw:pkg:portal ${name} exited ${code} at a terminal\n${output}`);
  if (!output.includes("How do people sign in to this portal?")) throw new Error(`nothing was asked:\n${output}`);
}
