import { type CommandContext, withApp } from "framewright/generators";
import type {} from "../index.ts";

/** `fw acme:announce Sale`: announces a text at once. */
export default async function announce({ args: [text = ""] }: CommandContext): Promise<void> {
  await withApp({}, async ({ kernel }) => {
    await kernel.service("acme").announce(text);
    const count = await kernel.service("jobs").drain();
    console.log(kernel.service("i18n").t("fw_acme.done", { count }));
  });
}
