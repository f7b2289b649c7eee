import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, say } from "./commands.js";
import { accountEdits, modelEdits, portalEdits, wizardEdits } from "./edits.js";

const here = import.meta.dirname;
const generators = join(here, "../../../generators");

const people = [
  ["fw:res:scaffold", "User", "name:string", "email:string:uniq"],
  ["fw:authlib:account", "user", "--defaults", "--otp", "--recovery_codes", "--webauthn", "--email_auth"],
  ["fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh"],
  ["fw:authlib:admin", "--roles=super_admin,admin"],
];
/** Organizations, their members and invitations, profiles, the welcome page and the customer portal. */
const product = [
  "fw:saas:setup", "--user=User", "--entity=Organization", "--roles=admin,member", "--portal_name=customer",
  "--entity_attributes=name:string:uniq,plan:string{default:free},website:string?", "--profile_attributes=job_title:string,about:text",
]; // biome-ignore format: a command
const resources = [
  ["Category", "name:string:uniq", "description:text?", "--dest=blogging"],
  [
    "Post", "title:string", "body:text?", "category:belongs_to?", "author:belongs_to{class:User}", "organization:belongs_to",
    "status:string{default:draft}", "featured:boolean{default:false}", "fee:money?", "due_on:date?", "published_at:datetime?", "--dest=blogging",
  ],
  ["Comment", "body:text", "author:belongs_to{class:User}", "post:belongs_to", "--dest=blogging"],
]; // biome-ignore format: one line a resource

const blog = ["Blogging::Post", "Blogging::Comment", "Blogging::Category"];
const portals = [
  { flags: ["public", "--public"], shows: blog },
  { flags: ["admin", "--auth=admin"], shows: [...blog, "Organization", "User", "OrganizationUser", "Admin"] },
  { flags: ["api", "--auth=api_user"], shows: [...blog, "Organization"] },
  { flags: ["partner", "--byo"], shows: ["Blogging::Post", "Blogging::Category"] },
];

const wizards = [
  ["Onboarding", "--steps=you:name,first_post:title", "--one-time", "--dest=customer_portal"],
  ["Signup", "--steps=you:name:email,organization:name", "--anonymous", "--dest=customer_portal"],
  ["Configure", "--steps=plan:plan,people", "--anchored=Organization", "--dest=admin_portal"],
  ["Import", "--steps=source,defaults:status", "--dest=blogging"],
];

/** Makes the application beside where it shall be, and moves it there when it is whole. */
export async function makeDemo(root) {
  const start = performance.now();
  const making = `${root}.tmp`;
  rmSync(making, { recursive: true, force: true });
  await startIn(making);
  await generate(making, "fw:pkg:package", "blogging");
  for (const command of [...people, product]) await generate(making, ...command);
  for (const resource of resources) await generate(making, "fw:res:scaffold", ...resource);
  await generate(making, "fw:wizards:install");
  await generate(making, "fw:saved_views:install");
  await generate(making, "fw:deletions:install");
  await generate(making, "fw:imports:install");
  for (const plugin of ["boards", "calendar", "articles", "grouping", "live", "presence"])
    await generate(making, "fw:install", plugin);
  edit(making, modelEdits);
  edit(making, accountEdits);
  appendFileSync(join(making, ".env.development"), "PARTNER_API_KEY=demo-partner-key\n");
  await run(making, ["db:migrate"]);
  for (const { flags, shows } of portals) {
    await generate(making, "fw:pkg:portal", ...flags);
    await generate(making, "fw:res:conn", ...shows, `--dest=${flags[0]}_portal`);
  }
  await generate(making, "fw:res:conn", "Blogging::Post", "Blogging::Comment", "--dest=customer_portal");
  edit(making, portalEdits);
  for (const wizard of wizards) await generate(making, "fw:wizard", ...wizard);
  edit(making, wizardEdits);
  cpSync(join(here, "fixtures"), making, { recursive: true });
  await run(making, ["types"]);
  await run(making, ["db:seed"]);
  writeFileSync(join(making, ".recipe"), recipe());
  renameSync(making, root);
  say(`Made in ${((performance.now() - start) / 1000).toFixed(1)} s.`);
}

/** `fw new` names an application after its folder: here it comes in by a link that has the name. */
async function startIn(directory) {
  mkdirSync(directory, { recursive: true });
  const named = mkdtempSync(join(tmpdir(), "fw-demo-"));
  symlinkSync(directory, join(named, "newsroom"), "dir");
  try {
    await run(named, ["new", "newsroom"]);
  } finally {
    rmSync(named, { recursive: true });
  }
}

export const isOutdated = (root) =>
  !existsSync(join(root, ".recipe")) || readFileSync(join(root, ".recipe"), "utf8") !== recipe();

const generate = (root, ...args) => run(root, ["generate", ...args]);

/** Changes generated files as a developer would; a text that is not there once means that the generators have moved on. */
function edit(root, edits) {
  for (const [path, changes] of Object.entries(edits)) {
    let text = readFileSync(join(root, path), "utf8");
    for (const [find, put] of changes) {
      const parts = text.split(find);
      if (parts.length !== 2)
        throw new Error(`test/support/demo/edits.js: ${path} holds "${find}" ${parts.length - 1} times, not once.`);
      text = parts.join(put);
    }
    writeFileSync(join(root, path), text);
  }
  say(`edited ${Object.keys(edits).length} files, as a developer would`);
}

/** What the demo is made from, as one word. */
function recipe() {
  const hash = createHash("sha256");
  for (const folder of [here, generators]) {
    for (const path of readdirSync(folder, { recursive: true }).sort())
      if (/\.\w+$/.test(path)) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}
