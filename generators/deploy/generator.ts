import { isAbsolute, relative, resolve } from "node:path";
import { usage } from "../errors.ts";
import { defineGenerator } from "../generator.ts";
import type { ApplicationFiles } from "../support/application.ts";
import { settingsList } from "./settings_list.ts";

export default defineGenerator({
  name: "fw:deploy",
  summary: "Write what a server needs: systemd units, nginx, a Dockerfile, compose, and the settings explained",
  example: "fw generate fw:deploy --domain=shop.example",
  options: {
    domain: { summary: "The name that people use; <application>.example by default", value: "NAME" },
    directory: { summary: "Where the application lies on the server; /srv/<application> by default", value: "PATH" },
    user: { summary: "The user that runs it there; the application's name by default", value: "NAME" },
    port: { summary: "The port behind the proxy; 3000 by default", value: "PORT" },
    upload_limit: { summary: "Bytes of a request with files, as UPLOAD_LIMIT; 26214400 by default", value: "BYTES" },
  },
  help: `No file has a secret in it: copy deploy/app.env.example to where only the service reads it, and fill it in there.`,
  directory: import.meta.dirname,
  run({ app, options, changes, template, note }) {
    const facts = factsOf(app, changes.read("package.json"), options);
    const { name } = facts;
    template(`deploy/systemd/${name}.service`, "app.service", facts);
    if (facts.jobs_apart) template(`deploy/systemd/${name}-jobs.service`, "jobs.service", facts);
    template(`deploy/systemd/${name}-migrate.service`, "migrate.service", facts);
    for (const kind of ["service", "timer"]) template(`deploy/systemd/${name}-backup.${kind}`, `backup.${kind}`, facts);
    template(`deploy/nginx/${name}.conf`, "nginx.conf", facts);
    template("deploy/app.env.example", "app.env", { ...facts, settings: settingsList(facts) });
    template("Dockerfile", "Dockerfile", facts);
    template(".dockerignore", "dockerignore", facts);
    template("compose.yaml", "compose.yaml", facts);
    if (app.has(".gitignore")) changes.edit(".gitignore", ignoreSettings);
    const outside = outsidePath(app.root, changes.read("package.json"));
    if (outside !== undefined) note(outsideNote(outside));
    note(
      `\nNext:\n  deploy/app.env.example → /etc/${name}.env, mode 600, filled in\n  node_modules/framewright/docs/how-to/deploy-with-systemd-and-nginx.md has the steps`,
    );
  },
});

/** What the templates are written with. */
export interface DeployFacts {
  readonly name: string;
  readonly domain: string;
  readonly directory: string;
  readonly user: string;
  readonly port: number;
  readonly upload_limit: number;
  readonly jobs_apart: boolean;
  readonly redis: boolean;
  /** The type of the first account; empty where the application has none. */
  readonly account: string;
  /** Whether the database of compose is PostgreSQL; MariaDB by default. */
  readonly postgres: boolean;
}
interface Given {
  readonly domain?: string;
  readonly directory?: string;
  readonly user?: string;
  readonly port?: string;
  readonly uploadLimit?: string;
}

/** @throws FW_FLAG_VALUE */
function factsOf(app: ApplicationFiles, manifest: string | undefined, given: Given): DeployFacts {
  const name = nameOf(manifest);
  const plugins = app.has("plugins.config.ts") ? app.read("plugins.config.ts") : "";
  const { domain = `${name}.example`, directory = `/srv/${name}`, user = name } = given;
  check("--domain", /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, domain, "a host name, as in shop.example");
  check("--directory", /^\/[\w/.-]+$/, directory, "an absolute path of letters, digits, dots and dashes");
  check("--user", /^[a-z_][a-z0-9_-]{0,31}$/, user, "the name of a user");
  return {
    name,
    domain,
    directory,
    user,
    port: whole("--port", given.port ?? "3000", 65_535),
    upload_limit: whole("--upload-limit", given.uploadLimit ?? "26214400", 2 ** 40),
    account: app.accounts().find((type) => !isForPrograms(app, type)) ?? "",
    jobs_apart: /\bjobs\(\{[^}]*\brun:\s*false/.test(plugins),
    postgres: /\bpostgres\(\)/.test(plugins),
    redis: /\b(?:redis|bullmq)\(/.test(plugins),
  };
}

const isForPrograms = (app: ApplicationFiles, account: string): boolean =>
  /\bapiOnly\s*=\s*true/.test(app.read(`app/authlib/${account}_authlib_plugin.ts`));

/** Where the framework is installed from, if that is a file that only this machine has beside the application. */
function outsidePath(root: string, manifest: string | undefined): string | undefined {
  const { dependencies = {} } = JSON.parse(manifest ?? "{}") as { dependencies?: Record<string, string> };
  const path = /^file:(.+)/.exec(dependencies.framewright ?? "")?.[1];
  if (path === undefined) return undefined;
  const below = relative(root, resolve(root, path));
  return below.startsWith("..") || isAbsolute(below) ? path : undefined;
}
const outsideNote = (path: string): string =>
  `${path}, from which package.json installs framewright, is outside of this folder: the Docker build and a server that has only the folder can't install it. Copy it into the folder, as vendor/framewright.tgz, run npm install ./vendor/framewright.tgz, and have the Dockerfile copy it before npm ci: COPY vendor ./vendor`;

/** The application's name, as a unit, a user and a database may have it. */
function nameOf(manifest: string | undefined): string {
  const { name = "" } = JSON.parse(manifest ?? "{}") as { name?: string };
  const plain = name
    .replace(/^@[^/]*\//, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-\d]+|-+$/g, "");
  return plain === "" ? "app" : plain.slice(0, 30);
}

function check(option: string, form: RegExp, value: string, expected: string): void {
  if (!form.test(value)) throw usage.FW_FLAG_VALUE(option, expected);
}
function whole(option: string, text: string, most: number): number {
  check(option, /^[1-9]\d{0,14}$/, text, `a number from 1 to ${most}`);
  if (Number(text) > most) throw usage.FW_FLAG_VALUE(option, `a number from 1 to ${most}`);
  return Number(text);
}

/** The filled-in settings are never committed. */
const ignoreSettings = (text: string): string =>
  /^deploy\/\*\.env$/m.test(text) ? text : `${text.replace(/\n?$/, "\n")}deploy/*.env\n`;
