import { definePlugins, type Plugin } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { resources } from "framewright/plugins/resources";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";
import { assert } from "../../support/index.ts";

/** A suite, as `framewright/conformance/<slot>` exports it. */
export type Suite<Subject> = readonly { sentence: string; check(subject: Subject): Promise<void> }[];

/** What shows pages, without the plugin under test. */
export const pagePlugins = (): Plugin[] => [i18n(), sessions(), views(), assets()];
/** What a mailer needs. */
export const mailPlugins = (): Plugin[] => [database(), ...pagePlugins(), layout(), jobs({ run: false })];
/** What portals with tenants need. */
export const portalPlugins = (): readonly Plugin[] =>
  definePlugins([database(), ...pagePlugins(), layout(), portals(), resources()]);

/** The checks that fail, each with the first line of its failure. */
export async function failuresOf<Subject>(suite: Suite<Subject>, subject: Subject): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  for (const { sentence, check } of suite)
    await check(subject).catch((error: Error) => void failed.set(sentence, error.message));
  return failed;
}

/** Fails unless the suite refuses a filler by these checks and no others; keys are parts of their sentences. */
export async function refuses<Subject>(
  suite: Suite<Subject>,
  subject: Subject,
  expected: Readonly<Record<string, RegExp>>,
): Promise<void> {
  const failed = await failuresOf(suite, subject);
  const report = [...failed].map(([sentence, message]) => `${sentence}\n  ${message}`).join("\n");
  assert.is(failed.size, Object.keys(expected).length, report || "no check failed");
  for (const [part, message] of Object.entries(expected)) {
    const found = [...failed].find(([sentence]) => sentence.includes(part));
    assert.ok(found, `no check "… ${part} …" failed, but\n${report}`);
    assert.match(found[1], message);
  }
}
