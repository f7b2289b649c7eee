import { withoutComments } from "../../support/list_literal.ts";
import type { UpgradeStep } from "../upgrade.ts";

/** A property whose value is a string, as code without comments masks it. */
const masked = /\bturboFrame\s*:\s*_+/g;
const frame = /^turboFrame(\s*:\s*)(["'])modal\2$/;

/** Rewrites the frame of the shell's dialog, which actions named: they have an option for it. */
export const nameDialogs: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) {
    const text = upgrade.changes.read(file) ?? "";
    for (const { index, 0: written } of [...withoutComments(text).matchAll(masked)].toReversed()) {
      const property = text.slice(index, index + written.length);
      if (!frame.test(property)) continue;
      upgrade.rewrites("resources", file, index, 'turboFrame: "modal" of an action is open: "dialog"');
      const now = property.replace(frame, "open$1$2dialog$2");
      upgrade.changes.edit(file, (all) => all.slice(0, index) + now + all.slice(index + property.length));
    }
  }
};
