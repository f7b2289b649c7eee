import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { directoryOf, featureEntry } from "../../plugins/authlib/catalogue.ts";
import { packageDirectory } from "../support/package.ts";
import type { Account, Writing } from "./account.ts";

const mails = /^mailer\//;

/** Copies the pages and mails of an account's features to where the application's own are looked for first (S5.7). */
export function ejectViews({ changes }: Writing, { name, features }: Account): void {
  for (const feature of features) {
    const folder = join(packageDirectory, directoryOf(featureEntry(feature)!), "views/authlib");
    for (const file of viewsBelow(folder)) {
      const target = mails.test(file) ? `${name}_mailer/${file.replace(mails, "")}` : `${name}/${file}`;
      changes.create(`app/views/authlib/${target}`, readFileSync(join(folder, file), "utf8"));
    }
  }
}

const viewsBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((file) => file.replaceAll("\\", "/"))
        .filter((file) => file.endsWith(".liquid"))
        .sort()
    : [];
