import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { directoryOf, featureEntry } from "../../../plugins/authlib/feature_catalogue.ts";
import { codeDirectory } from "../../support/package.ts";
import type { Account, Writing } from "./account.ts";

const mails = /^mailer\//;
/** What all features share: the overview, what follows a mail, and the partials of all pages. */
const shared = "plugins/authlib";
/** Whose mails are among them. */
const mailing = new Set(["create_account", "change_login"]);

/**
 * Copies the pages and mails of an account's features to where the application's own are looked for first, with
 * the partials that they are made of. Who has no pages gets the mails alone.
 */
export function ejectViews({ changes }: Writing, { name, features, isApi }: Account): void {
  for (const directory of [shared, ...features.map((feature) => directoryOf(featureEntry(feature)!))]) {
    const folder = join(codeDirectory, directory, "views/authlib");
    for (const file of viewsBelow(folder)) {
      const isMail = mails.test(file);
      if (isApi && !isMail) continue;
      if (isMail && directory === shared && !features.some((feature) => mailing.has(feature))) continue;
      const target = isMail ? `${name}_mailer/${file.replace(mails, "")}` : `${name}/${file}`;
      changes.create(`app/views/authlib/${target}`, withPartialsBeside(readFileSync(join(folder, file), "utf8")));
    }
  }
}

/** A copied page takes the copied partials: they stand in its own folder. */
const withPartialsBeside = (text: string): string => text.replaceAll(/(\{%-?\s*render\s+")authlib\//g, "$1./");

const viewsBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((file) => file.replaceAll("\\", "/"))
        .filter((file) => file.endsWith(".liquid"))
        .sort()
    : [];
