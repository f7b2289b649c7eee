import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./support.ts";

/** What a person finds in a portal over a pulled database. */
export interface Walked {
  /** Of each resource: what was answered, by what was done; 200 for pages, 303 for forms that were sent. */
  resources: Record<string, Record<string, number | string>>;
  /** Of each resource the label of one record. */
  labels: Record<string, string>;
  /** The statuses of pages that are of no resource. */
  pages: Record<string, number>;
}

/** Signs in to the admin portal, opens each list, record and form, and creates, changes and deletes a record of each resource. */
const probe = `
import { openTestApplication } from "framewright/testing";
import { routePath, paramKey } from "framewright/host/inflection";
import { formsOf } from "#walk_forms.mjs";
const app = await openTestApplication({ database: process.env.WALKED });
const { kernel } = app.application;
const database = kernel.service("database");
await kernel.service("auth").createAccount(process.env.ACCOUNT, { email: "walker@example.com" }, { password: "correct horse battery" });
const ann = await app.signIn(process.env.ACCOUNT, "walker@example.com");
const routes = new Set(app.application.routes().map(({ verb, path }) => verb + " " + path));
const served = database.models().filter(({ constant }) => routes.has("GET /admin/" + routePath(constant)));
const seen = { resources: {}, labels: {}, pages: {} };
for (const path of ["/admin", "/admin/_search?q=a"]) seen.pages[path] = (await ann.request(path)).status;
let counter = 0;
const keyOf = (info, row) => String(info.key.of(row));
const rowsOf = (info) => database.knex(info.table).limit(200);
const problemOf = (text) => (text.match(/invalid-feedback[^>]*>([^<]*)/g) ?? []).join(" ").slice(0, 300) || text.replace(/<(script|style)[^]*?<\\/(script|style)>|<[^>]*>|\\s+/g, " ").slice(0, 400);
const sample = (info, name, field, row) => {
  const column = info.columns.get(name);
  if (column?.nullable && (column.references || info.foreignKeys.some(({ columns }) => columns.includes(name)))) return "";
  if (column?.nullable && column.isOpaque) return "";
  const choice = (info.choices[name] ?? column?.values ?? [])[0];
  if (choice !== undefined) return choice;
  const money = info.money[name] !== undefined;
  if (money) return "1";
  const number = String(20000 + ++counter);
  switch (column?.type) {
    case "integer": case "bigint": return column.primary || column.unique ? number : field.value || String(row?.[name] ?? 1);
    case "decimal": case "float": return "1";
    case "boolean": return "1";
    case "date": return "2026-01-31";
    case "datetime": return "2026-01-31T12:00";
    case "time": return "12:00";
    case "json": return "{}";
    case "uuid": return "00000000-0000-4000-8000-0000000" + number;
    case "string": if (column.maxLength === undefined && column.nullable) return ""; // a set
    default: return ("w" + number + " walked").slice(0, column?.maxLength ?? 12);
  }
};
/** Rows that the associations of a new record may refer to, so that no key or unique index has them together already. */
async function referencesOf(info, names) {
  const links = names.flatMap((name) => { const link = info.associations.get(name); return link?.kind === "belongsTo" ? [link] : []; });
  const targets = [];
  for (const link of links) targets.push((await rowsOf(link.target)).map((row) => keyOf(link.target, row)));
  const uniques = await database.driver.tables.uniques(database.knex, info.table);
  const own = await database.knex(info.table);
  const isTaken = (chosen) => [...uniques.map(({ columns }) => columns), info.key.columns].some((columns) => {
    const values = Object.assign({}, ...links.map((link, at) => link.key.row(chosen[at])));
    return columns.length > 0 && columns.every((column) => column in values) && own.some((row) => columns.every((column) => String(row[column]) === String(values[column])));
  });
  const agrees = (at, chosen, key) => Object.entries(links[at].key.row(key)).every(([column, value]) =>
    links.slice(0, at).every((link, other) => String(link.key.row(chosen[other])[column] ?? value) === String(value)));
  const pick = (at, chosen) => {
    if (at === links.length) return isTaken(chosen) ? undefined : chosen;
    for (const key of targets[at]) if (agrees(at, chosen, key)) { const found = pick(at + 1, [...chosen, key]); if (found) return found; }
  };
  const chosen = pick(0, []);
  return chosen && Object.fromEntries(links.map((link, at) => [link.name, chosen[at]]));
}
for (const info of served) {
  const did = (seen.resources[info.constant] = {});
  const base = "/admin/" + routePath(info.constant);
  const key = paramKey(info.constant);
  const open = async (what, path) => {
    const answer = await ann.request(path);
    const text = await answer.text();
    did[what] = answer.status === 303 && path.includes("?") ? 303 : answer.status === 200 && !text.includes("couldn't load") ? 200 : answer.status + " " + problemOf(text);
    return text;
  };
  const send = async (what, work) => {
    const answer = await work().catch((error) => ({ status: 0, headers: new Headers(), text: async () => error.stack }));
    did[what] = answer.status === 303 ? 303 : answer.status + " " + problemOf(await answer.text());
    return answer.headers.get("location") ?? "";
  };
  const html = await open("list", base);
  await open("searched", base + "?q=a");
  for (const name of [...info.columns.keys()].slice(0, 4)) await open("sorted by " + name, base + "?sort=" + encodeURIComponent(name));
  const list = await ann.json(base);
  if (list.status !== 200) did.json = list.status;
  const [row] = list.body.data ?? [];
  const [record] = await database.query(info.class).limit(1);
  if (record) seen.labels[info.constant] = record.toLabel();
  if (info.key.columns.length === 0) continue;
  const address = /href="([^"?]*)\\?_list/.exec(html)?.[1];
  if (row && !address) did.address = "none in the list";
  if (address) {
    await open("record", address);
    for (const { name, kind, through } of info.associations.values())
      if (kind === "hasMany" && through === undefined && routes.has("GET " + base + "/:" + key + "_id/nested_" + name)) await open("nested " + name, address + "/nested_" + name);
  }
  const form = await open("new", base + "/new");
  if (did.new !== 200) continue;
  const fields = formsOf(form).find(({ action }) => action === base)?.fields ?? {};
  const names = [...new Set(Object.keys(fields).flatMap((name) => { const found = name.match(/^\\w+\\[([^\\]]*)\\]$/); return found && name.startsWith(key + "[") ? [found[1]] : []; }))];
  const references = await referencesOf(info, names);
  if (!references) { did.create = "no free rows to refer to"; continue; }
  const values = Object.fromEntries(names.map((name) => [key + "[" + name + "]", references[name] ?? sample(info, name, fields[key + "[" + name + "]"], row)]));
  const made = (await send("create", () => ann.submit(base + "/new", values))).replace(/^https?:\\/\\/[^/]*/, "").replace(/\\?.*/, "");
  if (did.create !== 303) continue;
  const edit = await ann.request(made + "/edit");
  if (edit.status !== 200) did.edit = edit.status === 403 ? "refused" : edit.status;
  else {
    const own = formsOf(await edit.text()).find(({ action }) => action === made)?.fields ?? {};
    did.edit = edit.status;
    const changed = Object.keys(own).map((name) => name.match(/^\\w+\\[([^\\]]*)\\]$/)?.[1]).filter((name) => name && info.columns.has(name) && own[key + "[" + name + "]"].type !== "hidden");
    const value = changed.length ? { [key + "[" + changed[0] + "]"]: sample(info, changed[0], own[key + "[" + changed[0] + "]"]) } : {};
    await send("change", () => ann.submit(made + "/edit", value));
  }
  await open("made", made);
  await send("delete", () => ann.submit(made + "/actions/destroy", {}, new RegExp(made.replace(/[^\\w/]/g, "\\\\$&"))));
  const gone = await ann.request(made);
  if (gone.status !== 404) did.gone = gone.status;
}
await app.close();
process.stdout.write("\\nWALKED" + JSON.stringify(seen));
`;
/** The forms of a page, as the client of tests reads them. */
const forms = `
const decode = (text) => text.replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
export const formsOf = (html) => [...html.matchAll(/<form\\b([^>]*)>(.*?)<\\/form>/gs)].map(([, tag, inner]) => ({
  action: decode(/action="([^"]*)"/.exec(tag)?.[1] ?? ""),
  fields: Object.fromEntries([...inner.matchAll(/<(?:input|textarea|select)\\b[^>]*>/g)].flatMap(([field]) => {
    const name = /\\bname="([^"]*)"/.exec(field)?.[1];
    const type = /\\btype="(\\w+)"/.exec(field)?.[1] ?? "text";
    return name ? [[decode(name), { type, value: decode(/\\bvalue="([^"]*)"/.exec(field)?.[1] ?? "") }]] : [];
  }).reverse()),
}));
`;

/** Walks through an application's admin portal as an account of this type, on the database of this address. */
export async function walk(app: string, url: string, account = "user"): Promise<Walked> {
  writeFileSync(join(app, "walk.mjs"), probe.replace("#walk_forms.mjs", "./walk_forms.mjs"));
  writeFileSync(join(app, "walk_forms.mjs"), forms);
  const ran = await runCommand(process.execPath, ["--import", "framewright/register", "walk.mjs"], app, {
    WALKED: url,
    ACCOUNT: account,
  });
  const found = /WALKED(\{.*\})\s*$/s.exec(ran.out)?.[1];
  if (ran.code !== 0 || found === undefined)
    throw new Error(`the walk exited ${ran.code}\n${ran.out.slice(-3000)}${ran.err.slice(-3000)}`);
  return JSON.parse(found) as Walked;
}

/** What was answered otherwise than 200 or 303, one a line. */
export const failuresOf = ({ resources, pages }: Walked): string[] =>
  Object.entries({ ...resources, pages }).flatMap(([name, did]) =>
    Object.entries(did)
      .filter(([, answer]) => answer !== 200 && answer !== 303)
      .map(([what, answer]) => `${name} ${what}: ${answer}`),
  );
