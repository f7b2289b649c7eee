import type { Command } from "framewright/generators";

/** Commands for translators. */
export const commands: readonly Command[] = [
  {
    name: "texts",
    args: "<locale>",
    summary: "Print the texts that a language lacks, as a catalogue to be translated",
    example: "fw texts fr > config/locales/framewright.fr.json",
    load: () => import("./texts.ts"),
  },
];
