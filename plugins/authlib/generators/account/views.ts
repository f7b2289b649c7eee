import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { directoryOf, featureEntry } from "framewright/plugins/authlib/catalogue";
import { codeDirectory } from "../../../../generators/toolkit/index.ts";
import type { Account, AccountContext } from "./types.ts";

const MAIL_FOLDER = /^mailer\//;
/** The views that all features share: the overview, pages after a mail, and partials. */
const shared = "plugins/authlib";
/** The features whose mails are among the shared views. */
const mailFeatures = new Set(["create_account", "change_login"]);

/**
 * Copies the pages, partials and mails of an account's features into the application's views, which take precedence. An API
 * account gets the mails only.
 */
export function ejectViews({ changes }: AccountContext, { name, features, isApi }: Account): void {
  for (const directory of [shared, ...features.map((feature) => directoryOf(featureEntry(feature)!))]) {
    const folder = join(codeDirectory, directory, "views/authlib");
    for (const file of viewsBelow(folder)) {
      const isMail = MAIL_FOLDER.test(file);
      if (isApi && !isMail) continue;
      if (isMail && directory === shared && !features.some((feature) => mailFeatures.has(feature))) continue;
      const target = isMail ? `${name}_mailer/${file.replace(MAIL_FOLDER, "")}` : `${name}/${file}`;
      changes.create(`app/views/authlib/${target}`, withRelativePartials(readFileSync(join(folder, file), "utf8")));
    }
  }
}

/** Makes a copied page render the copied partials in its own folder. */
const withRelativePartials = (text: string): string => text.replaceAll(/(\{%-?\s*render\s+")authlib\//g, "$1./");

const viewsBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((file) => file.replaceAll("\\", "/"))
        .filter((file) => file.endsWith(".liquid"))
        .sort()
    : [];
