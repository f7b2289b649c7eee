import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageDirectory } from "../support/package.ts";
import type { DeployFacts } from "./generator.ts";

/** A setting as the environment file lists it. */
export interface ListedSetting {
  readonly text: string;
  /** As in `PORT=3000`. A line that begins with `#` has a default, or is not needed. */
  readonly lines: readonly string[];
}

const ROW = /^\| (`[A-Z][^|]*`) \| ([^|]*) \| (.*) \|$/gm;
/** Set by the units and the image. */
const OF_UNITS = new Set(["NODE_ENV", "FW_ENV"]);

/** Every setting of the reference that is written from the code, with its text on each. */
export function settingsList(facts: DeployFacts): ListedSetting[] {
  const page = readFileSync(join(packageDirectory, "docs/reference/settings.md"), "utf8");
  const table = page.slice(0, page.indexOf("## `settings` in code"));
  const values = valuesFor(facts);
  return [...table.matchAll(ROW)].flatMap(([, names = "", standard = "", text = ""]) => {
    const all = names.split(", ").map((name) => name.replaceAll("`", ""));
    if (all.some((name) => OF_UNITS.has(name))) return [];
    const lines = all.map((name) => (name in values ? `${name}=${values[name]}` : `# ${name}=`));
    return { text: `${plain(text)}. Without it: ${plain(standard)}.`, lines };
  });
}

/** What is set from the beginning. Secrets are empty: the deployer fills them in. */
const valuesFor = ({ domain, port, upload_limit }: DeployFacts): Readonly<Record<string, string | number>> => ({
  HOST: "127.0.0.1",
  PORT: port,
  SECRET_KEY_BASE: "",
  APP_URL: `https://${domain}`,
  TRUST_PROXY: 1,
  DATABASE_URL: "",
  MAIL_FROM: `no-reply@${domain}`,
  UPLOAD_LIMIT: upload_limit,
});

/** Text of a page, without its links and marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .replaceAll("\\|", "|")
    .replace(/\.$/, "");
