import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import { defineGenerator } from "../generator.ts";
import { titleize } from "../support/names.ts";
import { packageDirectory } from "../support/package.ts";

const databases = ["sqlite", "mysql", "postgres"] as const;
const environments = ["development", "test", "production"] as const;

interface Manifest {
  version: string;
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
const manifest = (): Manifest => JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as Manifest;

/** The framework that the new application depends on: a clone, a packed file, or the published version. */
export interface Source {
  name: string;
  /** As in file:../framewright; undefined for the published package. */
  link: string | undefined;
  /** Whether its packages are there already, so that `npm install` is not needed. */
  isInstalled: boolean;
}

/** The files of a new application that no other generator writes. */
export const newApplication = ({ name, link, isInstalled }: Source) =>
  defineGenerator({
    name: "new",
    summary: "Create a new application",
    example: "fw new shop --database=sqlite",
    args: "<dir>",
    options: {
      database: { summary: "sqlite, mysql or postgres", value: "KIND" },
      port: { summary: "Where it is served in development", value: "NUMBER" },
    },
    directory: import.meta.dirname,
    run({ template, changes, options: { database = "sqlite", port } }) {
      if (!databases.includes(database as "sqlite"))
        throw usage.FW_FLAG_CHOICE("--database", database, databases, suggest(database, databases));
      const { version, peerDependencies, devDependencies } = manifest();
      const locals = {
        name,
        title: titleize(name),
        linked: isInstalled,
        framewright: link ?? `^${version}`,
        typescript: devDependencies.typescript,
        node_types: devDependencies["@types/node"] ?? "^20.19.0",
        postgres: database === "postgres",
        pg: peerDependencies.pg,
        pglite: peerDependencies["@electric-sql/pglite"],
      };
      template("package.json", "package.json", locals);
      template("tsconfig.json", "tsconfig.json");
      template("tsconfig.build.json", "tsconfig.build.json");
      template(".gitignore", "gitignore");
      template(".gitattributes", "gitattributes");
      template("README.md", "README.md", locals);
      template("AGENTS.md", "AGENTS.md", locals);
      template("plugins.config.ts", "plugins.config.ts", locals);
      template("db/seeds.ts", "seeds.ts");
      for (const environment of environments) {
        template(`.env.${environment}`, "env", {
          ...locals,
          environment,
          port: (environment === "development" && port) || "",
          secret: randomBytes(64).toString("hex"),
          database_url: databaseUrl(database, name, environment),
        });
      }
      for (const kept of ["storage", "public", "db/migrate"]) changes.create(`${kept}/.gitkeep`, "");
    },
  });

/** SQLite is the default and needs no URL: storage/<environment>.sqlite3. PostgreSQL needs a server in production alone. */
function databaseUrl(database: string, name: string, environment: string): string {
  const own = name.replaceAll("-", "_");
  if (database === "mysql") return `mysql://root@127.0.0.1:3306/${own}_${environment}`;
  if (database === "sqlite") return "";
  return environment === "production" ? `postgres://${own}@127.0.0.1:5432/${own}` : `pglite:storage/${environment}`;
}
